// tier: postgres
import { describe, expect, it } from 'vitest';
import { weaknessOf } from '../../../api/auth/password-rules.ts';
import { createPerson, openBrowser, PASSWORD } from '../account/support.ts';
import { openTestApi } from '../support.ts';

const owner = { email: 'Ada.Lovelace@example.com', organization: 'Example News' };

describe('a password that is chosen', () => {
  it.each([
    'password123',
    'Password123',
    '  password123 ',
    'password123!!!',
    '***qwertyuiop***',
    '1234567890',
    '12345678          ',
    '--password--',
    'iloveyou123',
  ])('may not be "%s", which is among the first guesses', async (password) => {
    expect(await weaknessOf(password, owner)).toMatch(
      /^is among the most common passwords: choose a few unrelated words/,
    );
  });

  it.each([
    ['ada.lovelace@example.com', 'must not be the e-mail address'],
    [' ADA.LOVELACE@EXAMPLE.COM ', 'must not be the e-mail address'],
    ['example news', 'must not be the organization’s name'],
    ['Example News!', 'must not be the organization’s name'],
  ])('may not be "%s", which is public knowledge about its owner', async (password, words) => {
    expect(await weaknessOf(password, owner)).toBe(words);
  });

  it.each([
    PASSWORD,
    'correct horse battery staple',
    'the ferries stop at noon',
    '!!!!!!!!!!!!',
    'ночь улица фонарь',
  ])('may be "%s"', async (password) => expect(await weaknessOf(password, owner)).toBeNull());

  it('costs no more for one made of signs alone', async () => {
    expect(await weaknessOf('!'.repeat(256), owner)).toBeNull();
  });
});

describe('setting a password', async () => {
  const api = await openTestApi();

  it('explains the refusal at the field, and leaves the old one', async () => {
    const person = await createPerson(api.database);
    await api.database.query(`UPDATE organizations SET name = 'Morning Herald' WHERE id = $1`, [
      person.organizationId,
    ]);
    const browser = await openBrowser(api.app, person);
    const change = (next: string) =>
      browser.account('PUT', '/me/password', { current_password: PASSWORD, new_password: next });
    for (const next of ['qwertyuiop', 'morning herald', person.email]) {
      const answer = await change(next);
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['new_password']]);
    }
    expect((await change('the ferries stop at noon')).statusCode).toBe(204);
  });

  it('by an invitation follows the same rules, and the link stays valid', async () => {
    const boss = await openBrowser(api.app, await createPerson(api.database));
    const made = await boss.account('POST', '/invitations', { email: 'new@example.com', role: 'member' });
    const invitation = String(made.json().data.url).split('#')[1];
    const accept = (password: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/account/invitations/accept',
        payload: { invitation, name: 'New', password },
      });
    const refused = await accept('Password123');
    expect([refused.statusCode, refused.json().errors.password[0]]).toEqual([
      422,
      expect.stringMatching(/^The password field is among the most common passwords/),
    ]);
    expect((await accept('the ferries stop at noon')).statusCode).toBe(201);
  });
});
