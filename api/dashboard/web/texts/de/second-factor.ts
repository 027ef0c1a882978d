import type { TextsOf } from '../texts.ts';

/** The second factor of a log-in. */
export const secondFactor: TextsOf<'secondFactor'> = {
  secondFactor: {
    title: 'Zweiter Faktor',
    description:
      'Ein Code aus einer App auf Ihrem Smartphone, den Sie bei der Anmeldung nach dem Passwort eingeben.',
    required: 'Ihre Organisation verlangt einen zweiten Faktor. Richten Sie einen ein, um fortzufahren.',
    on: 'Aktiv',
    left: (count: number): string => `Übrige Wiederherstellungscodes: ${count}.`,
    renew: 'Neue Wiederherstellungscodes',
    renewText: 'Geben Sie Ihr Passwort ein. Die alten Wiederherstellungscodes gelten dann nicht mehr.',
    remove: 'Zweiten Faktor entfernen',
    removeText: 'Geben Sie Ihr Passwort ein. Danach genügt zur Anmeldung das Passwort.',
    removed: 'Ihr zweiter Faktor ist entfernt.',
    setUp: 'Zweiten Faktor einrichten',
    addApp: 'Authenticator-App hinzufügen',
    setUpText: 'Sie brauchen eine Authenticator-App. Geben Sie zuerst Ihr Passwort ein.',
    next: 'Weiter',
    keyText:
      'Legen Sie in Ihrer Authenticator-App mit diesem Schlüssel ein Konto an (zeitbasiert, 6 Ziffern) und geben Sie den Code ein, den sie zeigt.',
    key: 'Der Schlüssel',
    openApp: 'In einer App auf diesem Gerät öffnen',
    confirm: 'Bestätigen',
    code: 'Code',
    codeMissing: 'Geben Sie einen Code ein.',
    ask: 'Geben Sie den Code Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    go: 'Weiter',
    codesTitle: 'Ihre Wiederherstellungscodes',
    codes: 'Wiederherstellungscodes',
    codesOnce: 'Kopieren Sie sie jetzt und bewahren Sie sie sicher auf: Sie werden nicht wieder gezeigt.',
    codesUse: 'Jeder gilt einmal anstelle eines Codes, falls Sie Ihr Smartphone verlieren.',
    codesKept: 'Ich habe sie kopiert',
    ruleTitle: 'Zweiter Faktor für alle',
    ruleText: 'Wer keinen hat, kann ihn nur einrichten. API-Tokens sind nicht betroffen.',
    rule: 'Zweiten Faktor verlangen',
    ruleSaved: 'Die Regel ist gespeichert.',
    reset: 'Faktor zurücksetzen',
    resetTitle: (name: string): string => `Faktor zurücksetzen: ${name}`,
    resetQuestion: (name: string): string => `Den zweiten Faktor von ${name} zurücksetzen?`,
    resetText:
      'Für Kollegen, die Smartphone und Wiederherstellungscodes verloren haben. Vergewissern Sie sich, dass wirklich sie darum bitten.',
    resetAct: 'Zweiten Faktor zurücksetzen',
    resetDone: (name: string): string => `${name} hat jetzt keinen zweiten Faktor.`,
  },
};
