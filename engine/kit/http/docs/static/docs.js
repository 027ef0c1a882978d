// The language that was chosen once is chosen everywhere; every sample can be copied; "/" leads to the search.
const KEPT = 'broadside-docs-language';

const choose = (language) => {
  for (const input of document.querySelectorAll('.samples input')) input.checked = input.value === language;
};

const kept = localStorage.getItem(KEPT);
if (kept !== null && document.querySelector(`.samples input[value="${CSS.escape(kept)}"]`) !== null)
  choose(kept);

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.samples input')) return;
  // What is chosen above changes in height, too: the reader's own sample stays where it is.
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  window.scrollBy(0, target.getBoundingClientRect().top - before);
  localStorage.setItem(KEPT, target.value);
});

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  block.append(button);
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector('input[type=search]')?.focus();
});

// On a phone the contents would hide the text.
const contents = document.querySelector('nav details');
if (window.matchMedia('(max-width: 800px)').matches) contents?.removeAttribute('open');
