// What the link ends with is behind a #, which browsers send to nobody: it reaches no log on its way.
const reset = location.hash.slice(1);
const ask = document.querySelector('#ask');
const set = document.querySelector('#set');
const status = document.querySelector('#status');

function say(text, wrong = false) {
  status.textContent = text;
  status.classList.toggle('wrong', wrong);
}

async function post(path, body) {
  const answer = await fetch(`api/v1/account/password-reset${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw new Error('Broadside does not respond. Check your connection, then reload this page.');
  });
  if (answer.status === 204) return null;
  const { data, message, errors } = await answer.json();
  if (answer.ok) return data;
  const fields = Object.values(errors ?? {}).flat();
  throw new Error(
    answer.status === 429 ? 'Too many requests. Try again later.' : fields.join(' ') || message,
  );
}

const submits = (form, act) =>
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    say('One moment …');
    try {
      await act(Object.fromEntries(new FormData(form)));
    } catch (error) {
      say(error.message, true);
    } finally {
      button.disabled = false;
    }
  });

submits(ask, async ({ email }) => {
  await post('', { email });
  ask.hidden = true;
  say('If this address has an account, a link is on its way to it. It works once, for an hour.');
});

submits(set, async ({ password }) => {
  await post('/set', { reset, password });
  set.hidden = true;
  // The link is used up: the way back must not lead to it.
  history.replaceState(null, '', location.pathname);
  say('Your new password is set, and you are logged out everywhere. Log in with it.');
});

async function open() {
  const { email } = await post('/open', { reset });
  set.elements.email.value = email;
  set.hidden = false;
  set.elements.password.focus();
  say('');
}

function askAgain(words, wrong = false) {
  ask.hidden = false;
  ask.elements.email.focus();
  say(words, wrong);
}

// A second link opened in the same tab changes nothing but what is behind the #.
addEventListener('hashchange', () => location.reload());
if (reset === '') askAgain('A link to choose a new password comes by e-mail.');
else open().catch((error) => askAgain(`${error.message} Ask for another one:`, true));
