// What the link ends with is behind a #, which browsers send to nobody: it reaches no log on its way.
const confirmation = location.hash.slice(1);
const form = document.querySelector('#confirm');
const status = document.querySelector('#status');

function say(text, wrong = false) {
  status.textContent = text;
  status.classList.toggle('wrong', wrong);
}

async function confirm() {
  const answer = await fetch('api/v1/account/alert-addresses/confirm', {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ confirmation }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw new Error('Broadside does not respond. Check your connection, then try again.');
  });
  if (answer.ok) return;
  throw new Error(
    answer.status === 429 ? 'Too many requests. Try again later.' : (await answer.json()).message,
  );
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  form.hidden = true;
  say('One moment …');
  try {
    await confirm();
    // The link is used up: the way back must not lead to it.
    history.replaceState(null, '', location.pathname);
    say('This mailbox can now receive alerts. Send the test again to see one.');
  } catch (error) {
    form.hidden = false;
    say(error.message, true);
  }
});

// A second link opened in the same tab changes nothing but what is behind the #.
addEventListener('hashchange', () => location.reload());
if (confirmation === '')
  say('You get a link to confirm the address of an alert channel by e-mail, with its first test.');
else {
  form.hidden = false;
  say('Someone wants to send alerts of Broadside to the mailbox that received this link.');
}
