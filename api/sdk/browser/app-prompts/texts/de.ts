import type { Texts } from '../texts.ts';

export const de: Texts = {
  question: 'Nachrichten sofort erfahren?',
  benefit: 'Auch wenn diese Seite geschlossen ist. Sie können sie jederzeit abschalten.',
  accept: 'Ja, benachrichtigen',
  later: 'Jetzt nicht',
  winBack:
    'Ihr Browser hat die Benachrichtigungen dieser Seite ausgeschaltet, weil Sie länger nicht hier waren. Wieder einschalten?',
  choose: 'Worüber?',
  subscribe: 'Benachrichtigungen einschalten',
  unsubscribe: 'Benachrichtigungen ausschalten',
  subscribed: 'Benachrichtigungen sind eingeschaltet.',
  unsubscribed: 'Benachrichtigungen sind ausgeschaltet.',
  denied:
    'Benachrichtigungen sind blockiert. Erlauben Sie sie in den Einstellungen Ihres Browsers für diese Website.',
  homeScreen:
    'Um hier Benachrichtigungen zu erhalten, tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“ mit „Als Web-App öffnen“, und öffnen Sie die Seite von dort.',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.',
  close: 'Schließen',
  quiet: 'Ihr Browser hat nicht gefragt oder zeigt nur eine durchgestrichene Glocke in der Adressleiste?',
  showHow: 'Zeigen, wie man es erlaubt',
  helpTitle: 'So schalten Sie Benachrichtigungen ein',
  helpEnd: 'Laden Sie diese Seite danach neu.',
  help: {
    chromeDesktop: [
      'Klicken Sie auf das Symbol links neben der Adresse.',
      'Öffnen Sie „Website-Einstellungen“.',
      'Wählen Sie bei „Benachrichtigungen“ „Zulassen“.',
    ],
    chromeAndroid: [
      'Tippen Sie auf das Symbol links neben der Adresse.',
      'Tippen Sie auf „Berechtigungen“, dann auf „Benachrichtigungen“.',
      'Schalten Sie „Benachrichtigungen anzeigen“ ein.',
      'Ist das ausgegraut, erlauben Sie Chrome zuerst Benachrichtigungen in den Android-Einstellungen unter „Apps“.',
    ],
    edge: [
      'Klicken Sie auf das Symbol links neben der Adresse.',
      'Öffnen Sie „Berechtigungen für diese Website“.',
      'Wählen Sie bei „Benachrichtigungen“ „Zulassen“.',
    ],
    firefox: [
      'Klicken Sie auf das Symbol links neben der Adresse.',
      'Entfernen Sie bei „Benachrichtigungen senden“ den Eintrag „Blockiert“.',
      'Unter Android tippen Sie auf das Schloss, dann auf „Benachrichtigung“, bis dort „Erlaubt“ steht.',
    ],
    safari: [
      'Öffnen Sie in der Menüleiste „Safari“, dann „Einstellungen“.',
      'Wählen Sie „Websites“, dann „Mitteilungen“.',
      'Wählen Sie bei dieser Website „Erlauben“.',
    ],
    ios: [
      'Tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“ mit „Als Web-App öffnen“, und öffnen Sie die Website von dort.',
      'Ist sie schon dort, öffnen Sie die App „Einstellungen“, dann „Mitteilungen“.',
      'Wählen Sie diese Website, und schalten Sie „Mitteilungen erlauben“ ein.',
    ],
  },
};
