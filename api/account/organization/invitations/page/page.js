// What the link ends with is behind a #, which browsers send to nobody: it reaches no log on its way.
const invitation = location.hash.slice(1);
const form = document.querySelector('#form');
const title = document.querySelector('#title');
const status = document.querySelector('#status');
const help = document.querySelector('#help');

function say(text, wrong = false) {
  status.textContent = text;
  status.classList.toggle('wrong', wrong);
}

async function post(path, body) {
  const answer = await fetch(`api/v1/account/invitations/${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw new Error('Broadside does not respond. Check your connection, then reload this page.');
  });
  const { data, message, errors } = await answer.json();
  if (answer.status === 404) throw new InvalidLink();
  if (!answer.ok)
    throw new Error(
      Object.values(errors ?? {})
        .flat()
        .join(' ') || message,
    );
  return data;
}

/** One answer for each reason, which the page must not reveal either. */
class InvalidLink extends Error {}

function fail(error) {
  if (!(error instanceof InvalidLink)) return say(error.message, true);
  form.hidden = true;
  help.hidden = false;
  title.textContent = 'This link does not work';
  document.title = 'This link does not work · Broadside';
  say('It was used, replaced or revoked, it has expired, or its e-mail address has an account already.');
}

async function open() {
  const { email, organization, role } = await post('open', { invitation });
  form.elements.email.value = email;
  form.hidden = false;
  form.elements.name.focus();
  title.textContent = `Join ${organization}`;
  say(`You are invited to ${organization} as ${role}. Choose a name and a password to join.`);
}

async function accept(event) {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  say('One moment …');
  try {
    const { name, password } = Object.fromEntries(new FormData(form));
    await post('accept', { invitation, name, password });
    // In its place: the way back must not lead to a link that is used up.
    location.replace('dashboard/');
  } catch (error) {
    fail(error);
  } finally {
    button.disabled = false;
  }
}

form.addEventListener('submit', accept);
// A second link opened in the same tab changes nothing but what is behind the #.
addEventListener('hashchange', () => location.reload());
open().catch(fail);
