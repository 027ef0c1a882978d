import type { TextsOf } from '../texts.ts';

/** What waits for a second person. */
export const approvals: TextsOf<'approvals'> = {
  approvals: {
    setting: 'Freigabe',
    alone:
      'Sie sind allein im Team, und niemand könnte freigeben, was Sie schreiben. Laden Sie zuerst jemanden ein.',
    settingAbout:
      'Eine zweite Person sieht sich an, was an Leser geht, bevor es gesendet wird: Benachrichtigungen, Berichtigungen und Kampagnen, auch über die API. Beiträge aus Feeds warten als Entwürfe.',
    rule: 'Wer freigibt',
    rules: {
      none: 'Niemand: Es wird ohne Freigabe gesendet',
      all: 'Immer eine andere Person',
      all_but_breaking: 'Eine andere Person, außer bei Eilmeldungen',
    },
    adminsOnly: 'Nur Admins können das ändern.',
    waits: 'Wartet auf Freigabe',
    back: 'Zurückgegeben',
    writtenBy: (authors: string): string => `Geschrieben von ${authors}.`,
    yours: 'Jemand anderes aus Ihrem Team muss sie freigeben. Vorher wird nichts gesendet.',
    nothingSent: 'Nichts wird gesendet, bevor Sie oder jemand anderes sie freigibt.',
    approve: 'Freigeben',
    decline: 'Zurückgeben',
    approved: 'Freigegeben.',
    sentBack: 'Zurückgegeben.',
    approvedBy: (who: string, when: string): string => `Freigegeben von ${who}, ${when}.`,
    frozen: 'Es geht an die Leser seines Segments, wie das Segment damals war.',
    declined: (who: string): string => `Zurückgegeben von ${who}`,
    declinedAbout: 'Ändern Sie sie, um erneut um Freigabe zu bitten, oder brechen Sie sie ab.',
    saying: (note: string): string => `„${note}“`,
    declineTitle: 'An den Verfasser zurückgeben?',
    declineAbout: 'Sie wartet, bis jemand sie ändert.',
    note: 'Was soll anders werden?',
    noTime: 'Leer: sobald sie freigegeben ist.',
    before: 'Jemand anderes muss sie freigeben, bevor sie gesendet wird.',
    askTitle: 'Um Freigabe bitten?',
    review: 'Um Freigabe bitten …',
    ask: 'Um Freigabe bitten',
    asked: 'Sie wartet auf Freigabe.',
    needs: 'wartet auf Freigabe.',
  },
};
