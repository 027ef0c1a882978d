import { hash } from 'node:crypto';
import { Html, html } from '../../../engine/kit/http/docs/pages/html.ts';
import type { PreferenceForm } from './form.ts';
import { catalogue, directionOf, type PageLanguage, pageLanguages, textsIn } from './languages.ts';
import { style } from './style.ts';

/** No script, no font and no image: nothing is loaded, from here or from elsewhere. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageParts {
  readonly form: PreferenceForm;
  readonly siteName: string;
  readonly siteUrl: string;
  readonly subscribed: boolean;
  readonly saved: boolean;
  /** Of this page, seen from itself. */
  readonly address: string;
}

export function preferencesPage(parts: PageParts): string {
  const { form, subscribed, siteName } = parts;
  const { texts, language } = form;
  const content = subscribed
    ? [savedNote(parts), choices(parts), pause(parts), leave(parts)]
    : [html`<p role="status">${texts.left}</p>`, siteLink(parts)];
  return documentOf(language, `${texts.title} · ${siteName}`, [
    html`<h1>${texts.title}</h1>`,
    html`<p class="lead">${texts.intro}</p>`,
    ...content,
    languageLinks(language),
  ]);
}

/** A link that ended, or that is none of ours. */
export function invalidPage(language: PageLanguage): string {
  const { invalid, invalidHint } = textsIn(language);
  return documentOf(language, invalid, [
    html`<h1>${invalid}</h1>`,
    html`<p class="lead">${invalidHint}</p>`,
    languageLinks(language),
  ]);
}

/** Not escaped: the policy's hash is of this very text. */
const styleElement = new Html(`<style>${style}</style>`);

const documentOf = (language: PageLanguage, title: string, content: readonly Html[]): string =>
  html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${styleElement}
</head>
<body><main>
${content}
</main></body>
</html>
`.text;

const savedNote = ({ saved, form }: PageParts): Html =>
  saved ? html`<p role="status" class="saved">${form.texts.saved}</p>` : html``;

const choices = ({ form, address }: PageParts): Html => html`
<form method="post" action="${address}">
${form.categories.length > 0 && categories(form)}
<section><h2><label for="fewer">${form.texts.howMany}</label></h2>
<select id="fewer" name="fewer">${form.fewer.map(
  ({ value, label, chosen }) => html`<option value="${value}"${chosen && html` selected`}>${label}</option>`,
)}</select></section>
${quietHours(form)}
<p><button class="main" name="act" value="save">${form.texts.save}</button></p>
</form>`;

const categories = ({ texts, categories: all }: PreferenceForm): Html => html`
<fieldset><legend>${texts.categories}</legend>${all.map(
  ({ id, name, chosen }) =>
    html`<input type="hidden" name="shown" value="${id}"><label class="tick"><input type="checkbox" name="category" value="${id}"${chosen && html` checked`}> <bdi>${name}</bdi></label>`,
)}</fieldset>`;

const quietHours = ({ texts, quietHours: { on, from, to } }: PreferenceForm): Html => html`
<fieldset><legend>${texts.quietHours}</legend>
<label class="tick"><input type="checkbox" name="quiet" aria-describedby="quiet-hint"${on && html` checked`}> ${texts.quietOn}</label>
<div class="times"><label>${texts.quietFrom} <input type="time" name="from" value="${from}" required></label>
<label>${texts.quietTo} <input type="time" name="to" value="${to}" required></label></div>
<p id="quiet-hint" class="hint">${texts.quietHint}</p></fieldset>`;

const act = (address: string, value: string, label: string): Html =>
  html`<form method="post" action="${address}"><button name="act" value="${value}">${label}</button></form>`;

const pause = ({ form: { texts, paused }, address }: PageParts): Html => html`
<section><h2>${texts.pause}</h2><p class="hint">${paused ?? texts.pauseHint}</p>
${paused === null ? act(address, 'pause', texts.pauseAct) : act(address, 'resume', texts.resumeAct)}</section>`;

const leave = ({ form: { texts }, address }: PageParts): Html => html`
<section><h2>${texts.leave}</h2><p class="hint">${texts.leaveHint}</p>
${act(address, 'leave', texts.leaveAct)}</section>`;

const siteLink = ({ siteUrl, form }: PageParts): Html =>
  html`<p><a href="${siteUrl}">${form.texts.openSite}</a></p>`;

const names = new Map(
  pageLanguages.map((language) => [
    language,
    new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language,
  ]),
);

const languageLinks = (language: PageLanguage): Html => html`
<nav aria-label="${catalogue[language].languages}"><ul>${pageLanguages.map((other) =>
  other === language
    ? html`<li aria-current="true">${names.get(other) ?? other}</li>`
    : html`<li><a href="?lang=${other}" lang="${other}" hreflang="${other}">${names.get(other) ?? other}</a></li>`,
)}</ul></nav>`;
