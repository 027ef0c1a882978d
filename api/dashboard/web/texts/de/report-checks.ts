import { plural } from './plural.ts';

/** Checks of figures: two sources, unusual days, and how certain days are. */
export const reportChecks = {
  reportChecks: {
    title: 'Prüfungen',
    description:
      'Ob man sich auf die Zahlen verlassen kann: was abweicht, was ungewöhnlich ist und was sich später geändert hat.',
    views: { differences: 'Zwei Quellen', unusual: 'Ungewöhnliche Tage', days: 'Tage und Korrekturen' },
    run: 'Prüfen',
    gone: 'jemand, der nicht mehr dabei ist',
    differences: {
      about:
        'Was zwei Adserver an denselben Tagen für dieselben Websites gezählt haben, die größte Abweichung in Geld zuerst.',
      first: 'Erste Quelle',
      second: 'Zweite Quelle',
      amount: (currency: string): string => `Weicht ab um mindestens (${currency})`,
      percent: 'Und um mindestens (%)',
      twoNeeded: 'Es braucht zwei Quellen',
      twoNeededAbout: (one: string | null): string =>
        one === null
          ? 'Ihr Token sieht keine Statistik der letzten 92 Tage. Importieren Sie die zweier Adserver, jede mit ihrem --source, oder verwenden Sie einen Token, der sie sieht.'
          : `Von den letzten 92 Tagen sieht Ihr Token nur Statistik von ${one}. Importieren Sie die eines weiteren Adservers mit eigenem --source, oder verwenden Sie einen Token, der sie sieht.`,
      title: (first: string, second: string): string => `${first} und ${second}`,
      counted: (found: string, compared: string): string =>
        `${found} von ${compared} ${plural(compared, 'Tag einer Website', 'Tagen von Websites')} ${plural(found, 'weicht', 'weichen')} so stark ab.`,
      cut: (shown: string): string =>
        `Die ${shown} größten werden gezeigt. Die übrigen: beide Grenzen anheben, weniger Tage wählen oder broadside discrepancies --offset verwenden.`,
      more: (most: string): string => `Bis zu ${most} zeigen`,
      order: (first: string, second: string): string =>
        `Oben ${first}, darunter ${second}; Prozente beziehen sich auf die erste Quelle.`,
      none: 'Kein Tag einer Website weicht so stark ab. Senken Sie die beiden Grenzen oder wählen Sie andere Tage.',
      nothing: 'Keine der beiden Quellen hat an diesen Tagen Zeilen. Wählen Sie andere Tage.',
      missing: (source: string): string => `nichts von ${source}`,
      difference: 'Abweichung',
      reason: 'Grund',
      reasonMissing: 'Schreiben Sie, warum sie abweichen.',
      note: 'Grund notieren',
      change: 'Ändern',
      remove: 'Entfernen',
      noteOf: (site: string, day: string): string => `Grund für ${site}, ${day}`,
      removeOf: (site: string, day: string): string => `Grund für ${site}, ${day} entfernen`,
      removeAbout: 'Er verschwindet für alle in Ihrer Organisation.',
      removed: 'Der Grund wurde entfernt.',
      noteAbout: 'Alle in Ihrer Organisation, die diese Zeile sehen, lesen ihn.',
    },
    unusual: {
      about:
        'Jede Website mit Produkt und Land im Vergleich zu denselben Wochentagen der acht Wochen davor, die größte Abweichung in Geld zuerst; höchstens zehn am Tag.',
      amount: (currency: string): string => `Weicht ab um mindestens (${currency})`,
      counted: (shown: string, found: string): string =>
        shown === found
          ? `${found} ${plural(found, 'ungewöhnlicher Tag', 'ungewöhnliche Tage')}.`
          : `${shown} von ${found} ungewöhnlichen Tagen werden gezeigt.`,
      muted: (count: string): string =>
        `${count} ${plural(count, 'weiterer ist', 'weitere sind')} stummgeschaltet.`,
      fresh: (count: string, money: string): string =>
        `Über ${count} ${plural(count, 'Reihe', 'Reihen')} mit weniger als vier solchen Wochentagen davor wird nichts gesagt (${money}).`,
      withoutRows: (days: string): string => `Ganz ohne Zeilen: ${days}.`,
      none: 'Nichts Ungewöhnliches',
      noneAbout:
        'Jede Reihe hat so viel eingenommen wie sonst an ihren Wochentagen. Senken Sie die Grenze, um kleinere Abweichungen zu sehen.',
      nothing:
        'An diesen Tagen gibt es keine Zeilen. Wählen Sie andere Tage oder importieren Sie deren Statistik.',
      less: (money: string): string => `${money} weniger als üblich`,
      more: (money: string): string => `${money} mehr als üblich`,
      range: (low: string, high: string): string => `Üblich: ${low} bis ${high}.`,
      usual: 'Üblich',
      band: 'Bereich üblicher Werte',
      weekdays: 'Gleiche Wochentage',
      from: 'Woher es kommt',
      part: 'Teil',
      notStated: 'nicht angegeben',
      mute: 'Stummschalten',
      muteOf: (series: string): string => `${series} stummschalten`,
      until: 'Bis',
      untilMissing: 'Wählen Sie den letzten Tag.',
      muteAbout:
        'Bis einschließlich dieses Tages werden ihre ungewöhnlichen Tage niemandem in Ihrer Organisation gezeigt.',
      mutedNow: (series: string): string => `${series} ist stummgeschaltet.`,
      mutes: 'Stummgeschaltet',
      mutesNone:
        'Nichts ist stummgeschaltet. Wo Sie wissen, warum eine Reihe ungewöhnlich ist, schalten Sie sie stumm, bis das endet.',
      series: 'Reihe',
      mutedBy: 'Stummgeschaltet von',
      end: 'Wieder zeigen',
      endOf: (series: string): string => `${series} wieder zeigen`,
      endAbout: 'Ihre ungewöhnlichen Tage werden wieder allen in Ihrer Organisation gezeigt.',
      ended: (series: string): string => `${series} wird wieder gezeigt.`,
    },
    days: {
      about: 'Wie sicher die Tage jeder Quelle sind und wer das gesagt hat.',
      title: 'Tage der Quellen',
      source: 'Quelle',
      days: 'Tage',
      state: 'Status',
      states: { open: 'Offen: es kann mehr kommen', complete: 'Vollständig', final: 'Endgültig' },
      by: 'Gesagt von',
      nobody: 'niemandem',
      speakers: {
        import: 'einem Import',
        person: 'einer Person',
        rule: 'einer Regel der Quelle',
        time: 'der Zeit, bis zu der sie vollständig ist',
      },
      left: (count: number): string => `${count} weitere werden nicht gezeigt: Wählen Sie weniger Tage.`,
      none: 'Ihr Token sieht an diesen Tagen keine Quelle. Wählen Sie andere Tage oder importieren Sie deren Statistik.',
      changes: 'Korrekturen',
      changesAbout:
        'Tage, die eine Quelle ersetzt hat, und endgültige Tage, zu denen sie etwas hinzugefügt hat: was sich an den Zeilen geändert hat, die Ihr Token sieht.',
      changesNone: 'Kein Tag, den Ihr Token sieht, wurde korrigiert.',
      change: 'Änderung',
      changed: { replaced: 'Ersetzt', added: 'Ergänzt' },
      wasFinal: 'war endgültig',
      before: 'Vorher',
      after: 'Nachher',
      impressions: (count: string): string => `${count} ${plural(count, 'Impression', 'Impressions')}`,
      more: 'Frühere zeigen',
    },
  },
} as const;
