/** A broadside: a sheet with its headline, thrown. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M9 8h14v16H9z" fill="#fff"/><path d="M12 12h8M12 16h8M12 20h5" stroke="#1d4ed8" stroke-width="2"/></svg>`;

/** Follows the system, also when it changes while the page is open. Runs before the page is drawn. */
export const darkMode = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);
`;

/** What the library leaves ragged: the width of a phone, and the ground in the dark. */
export const styles = `html { color-scheme: light dark; }
html.dark-mode body { background: #1b1b1b; }
.swagger-ui .info { margin: 30px 0; }
.swagger-ui .scheme-container { padding: 16px 0; }
@media (max-width: 640px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { order: 1; flex: 1 0 100%; padding: 4px 10px 0 0; }
  .swagger-ui table.responses-table, .swagger-ui .opblock-body { overflow-x: auto; }
}
`;
