// tier: postgres

import { describe, expect, it } from 'vitest';
import { writeGrants } from '../../../../api/auth/grant-store.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, deliveryBody, type Member, openTestApi } from '../../support.ts';

const needsTwo =
  'The approval field needs two people who may approve on this app, for nobody approves what they wrote. Invite an approver or a member first, or set it to none.';

describe('approvals in a team of one', async () => {
  let admin: Member;
  let call: ReturnType<typeof callAs>;
  let app: string;
  const api = await openTestApi();

  const begin = async (): Promise<void> => {
    admin = await createMember(api.database, { role: 'admin' });
    call = callAs(api.app, admin);
    app = (await call('POST', '/apps', appBody())).json().data.identifier;
  };
  const colleague = (role: 'member' | 'reader' | 'guest') =>
    createMember(api.database, { role, organizationId: admin.organizationId });
  const ask = async (approval: string) => {
    const answer = await call('PATCH', `/apps/${app}`, { ...appBody(), approval });
    return [answer.statusCode, answer.json().errors?.approval?.[0] ?? answer.json().data.approval];
  };

  it('cannot be switched on, and it says how to fix that: not by a change, nor with a new app', async () => {
    await begin();
    expect(await ask('all')).toEqual([422, needsTwo]);
    expect(await ask('all_but_breaking')).toEqual([422, needsTwo]);
    const made = await call('POST', '/apps', { ...appBody(), approval: 'all' });
    expect([made.statusCode, made.json().errors]).toEqual([422, { approval: [needsTwo] }]);
    await colleague('reader');
    await colleague('guest');
    expect(await ask('all')).toEqual([422, needsTwo]);
  });

  it.each(['member', 'approver'])('can once there is a second person who may approve: a %s', async (role) => {
    await begin();
    const second = await colleague(role === 'member' ? 'member' : 'guest');
    const appId = await appIdOf(api.database, app);
    if (role === 'approver') await writeGrants(api.database, second.userId, new Map([[appId, 'approver']]));
    expect(await ask('all')).toEqual([200, 'all']);
  });

  it('leave a way out where the second person has gone: an admin switches them off', async () => {
    await begin();
    const second = await colleague('member');
    expect(await ask('all')).toEqual([200, 'all']);
    const { id } = (await call('POST', `/apps/${app}/deliveries`, deliveryBody())).json().data;
    await api.database.query('DELETE FROM users WHERE id = $1', [second.userId]);
    const approve = () =>
      call('POST', `/apps/${app}/deliveries/${id}/approval`, { decision: 'approve', version: 0 });
    const refused = await approve();
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      {
        decision: [
          'You wrote it, so another person has to approve it, and nobody else may approve on this app any more: invite an approver, or have an admin set the app’s approval to none.',
        ],
      },
    ]);
    // Another change of the app does not ask again.
    expect((await call('PATCH', `/apps/${app}`, { ...appBody(), name: 'Another' })).statusCode).toBe(200);
    expect(await ask('none')).toEqual([200, 'none']);
    expect((await approve()).statusCode).toBe(200);
  });
});
