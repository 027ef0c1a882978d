/** The page shown while there is no build. */
const page = (title: string, body: string, reload: boolean): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${reload ? '<meta http-equiv="refresh" content="2">' : ''}
    <title>${title} · Broadside</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;

export const buildingPage = page(
  'The dashboard is being built',
  '<p>This takes a few seconds after an update. The page reloads by itself.</p>',
  true,
);

export const absentPage = page(
  'The dashboard is not built',
  '<p>Build it on the machine that runs Broadside, then restart Broadside:</p><pre>npm ci &amp;&amp; npm run build</pre>',
  false,
);
