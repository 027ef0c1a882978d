// What the link ends with is behind a #, which browsers send to nobody: it reaches no log on its way.
const invitation = location.hash.slice(1);
const form = document.querySelector('#form');
const status = document.querySelector('#status');

function say(text, wrong = false) {
  status.textContent = text;
  status.classList.toggle('wrong', wrong);
}

async function post(path, body) {
  const answer = await fetch(`api/v1/account/invitations/${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data, message, errors } = await answer.json();
  if (!answer.ok)
    throw new Error(
      Object.values(errors ?? {})
        .flat()
        .join(' ') || message,
    );
  return data;
}

async function open() {
  const { email, organization, role } = await post('open', { invitation });
  form.elements.email.value = email;
  form.hidden = false;
  form.elements.name.focus();
  say(`You are invited to ${organization} as ${role}.`);
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
    say(error.message, true);
  } finally {
    button.disabled = false;
  }
}

form.addEventListener('submit', accept);
// A second link opened in the same tab changes nothing but what is behind the #.
addEventListener('hashchange', () => location.reload());
open().catch((error) => say(error.message, true));
