import type { TextsOf } from '../texts.ts';

/** Of the page of alerts: channels, and what was sent. */
export const alerts: TextsOf<'alerts'> = {
  alerts: {
    title: 'Meldungen',
    description:
      'Wer benachrichtigt wird, wenn etwas Aufmerksamkeit braucht, und was gesendet wurde. Nur Admins sehen diese Seite.',
    emptyTitle: 'Noch keine Kanäle für Meldungen',
    empty:
      'Broadside benachrichtigt Ihre Organisation per E-Mail, Webhook oder Slack: etwa wenn eine Sendung fehlschlägt, ein Push-Dienst eine App drosselt oder ungewöhnlich viele Leser sich abmelden. Fügen Sie zuerst einen Kanal hinzu und senden Sie ihm dann eine Testmeldung.',
    channels: 'Kanäle',
    add: 'Kanal hinzufügen',
    make: 'Hinzufügen',
    added: (name) => `${name} wurde hinzugefügt.`,
    kind: 'Art',
    kinds: { email: 'E-Mail', webhook: 'Webhook', slack: 'Slack-kompatibler Webhook' },
    number: (id) => `Kanal ${id}`,
    address: 'Adresse',
    addressHints: {
      email: 'Eine E-Mail-Adresse.',
      webhook: 'Eine https-URL im öffentlichen Internet. Broadside signiert seine Anfragen.',
      slack:
        'Die URL, die Sie von Slack oder einem kompatiblen Dienst erhalten haben. Später wird nur ihr Ursprung angezeigt.',
    },
    addressMissing: 'Geben Sie eine Adresse ein.',
    wanted: 'Meldungen, die er erhält',
    wantedMissing: 'Wählen Sie mindestens eine.',
    labels: {
      'delivery-failed': 'Fehlgeschlagene Sendungen',
      'delivery-stuck': 'Hängende Sendungen',
      'standing-changed': 'Drosselung',
      'unusual-unsubscribing': 'Viele Abmeldungen',
      'ad-statistics-late': 'Späte Werbestatistik',
      'feed-broken': 'Defekte Feeds',
      test: 'Testmeldung',
    },
    when: {
      'delivery-failed': 'Eine Sendung ist fehlgeschlagen.',
      'delivery-stuck': 'Eine Sendung kommt seit einer Stunde nicht voran.',
      'standing-changed': 'Ein Push-Dienst drosselt eine App oder drosselt sie nicht mehr.',
      'unusual-unsubscribing': 'Ungewöhnlich viele Leser haben sich nach einer Sendung abgemeldet.',
      'ad-statistics-late':
        'Die Werbestatistik ist mehr als 48 Stunden im Rückstand. Für Organisationen, die Erlöse sehen.',
      'feed-broken': 'Ein Feed war dreimal in Folge nicht lesbar, oder er ist es wieder.',
    },
    status: 'Status',
    enabled: 'Aktiv',
    disabled: 'Deaktiviert',
    lastAnswer: 'Letzte Antwort',
    secretTitle: 'Webhook-Secret',
    secret: 'Secret',
    once: 'Kopieren Sie das Secret jetzt und verwahren Sie es sicher: Es wird nie wieder angezeigt. Geht es verloren, löschen Sie den Kanal und fügen Sie ihn neu hinzu.',
    secretUse:
      'Mit dem Secret prüft Ihr Programm, dass eine Meldung von Broadside kommt (Standard Webhooks).',
    kept: 'Ich habe es kopiert',
    changeName: (name) => `${name} bearbeiten`,
    changeHint: 'Für eine andere Adresse fügen Sie einen weiteren Kanal hinzu.',
    changed: (name) => `${name} wurde geändert.`,
    enable: 'Aktivieren',
    enableName: (name) => `${name} aktivieren`,
    nowEnabled: (name) => `${name} ist aktiv.`,
    disable: 'Deaktivieren',
    disableName: (name) => `${name} deaktivieren`,
    nowDisabled: (name) => `${name} ist deaktiviert und erhält keine neuen Meldungen.`,
    deleteName: (name) => `${name} löschen`,
    question: (name) => `${name} löschen?`,
    consequence:
      'Meldungen, die diesem Kanal noch gesendet werden sollten, werden nicht gesendet, und der Verlauf zeigt nicht mehr, was er erhalten hat. Das lässt sich nicht rückgängig machen.',
    deleteAct: 'Kanal löschen',
    deleted: (name) => `${name} wurde gelöscht.`,
    test: 'Testmeldung senden',
    testName: (name) => `Testmeldung senden an ${name}`,
    testing: (name) => `Die Testmeldung an ${name} ist unterwegs.`,
    testSent: (name, answer) => `Die Testmeldung hat ${name} erreicht: ${answer}.`,
    testFailed: (name, answer) => `Die Testmeldung hat ${name} nicht erreicht: ${answer}.`,
    testAgain: (name, answer) =>
      `Die Testmeldung hat ${name} noch nicht erreicht: ${answer}. Broadside versucht es weiter; der Verlauf zeigt, wie es ausgeht.`,
    testLate: (name) =>
      `Noch keine Antwort von ${name}. Der Verlauf zeigt sie, sobald sie da ist. Testmeldungen werden gesendet, solange eine Engine läuft.`,
    history: 'Verlauf',
    historyHint: 'Die Meldungen der letzten 90 Tage, die neueste zuerst.',
    historyEmpty: 'In den letzten 90 Tagen gab es keine Meldungen.',
    at: 'Zeit',
    what: 'Meldung',
    sends: 'Gesendet an',
    nowhere: 'keinen Kanal',
    states: {
      waiting: 'Wartet',
      held: 'Zurückgehalten',
      summed: 'Zusammengefasst',
      sent: 'Gesendet',
      failed: 'Fehlgeschlagen',
    },
    more: (count) => `steht für ${count} weitere`,
    happened: {
      'delivery-failed': (of) => `„${of('name')}“ ist fehlgeschlagen. ${of('reason')}`,
      'delivery-stuck': (of) => `„${of('name')}“ kommt seit mehr als ${of('minutes')} Minuten nicht voran.`,
      'standing-changed': (of) => {
        if (of('standing') === 'normal') return `${of('service')} begrenzt diese App nicht mehr.`;
        return of('probable_end') === ''
          ? `${of('service')} nimmt von dieser App seit ${of('since')} ${of('allowed_per_minute')} Nachrichten pro Minute an.`
          : `${of('service')} nimmt von dieser App seit ${of('since')} ${of('allowed_per_minute')} Nachrichten pro Minute an, voraussichtlich bis ${of('probable_end')}.`;
      },
      'unusual-unsubscribing': (of) =>
        `${of('unsubscribed')} Leser haben sich innerhalb einer Stunde nach „${of('name')}“ abgemeldet.`,
      'ad-statistics-late': (of) => `Die Werbestatistik ist nur bis ${of('complete_until')} vollständig.`,
      'feed-broken': (of) =>
        of('state') === 'broken'
          ? `Von „${of('name')}“ wird nichts Neues gesendet: Der Feed ist nicht lesbar. ${of('reason')}`
          : `Der Feed von „${of('name')}“ ist wieder lesbar.`,
      test: () => 'Ein Admin hat den Kanal ausprobiert.',
    },
  },
};
