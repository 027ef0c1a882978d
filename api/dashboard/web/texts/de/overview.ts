import { locale } from '../language.ts';
import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

const places = { above: 'Über dem Üblichen', below: 'Unter dem Üblichen', within: 'Üblich' } as const;

/** One app at a glance, how it is put into a site, and its keys. */
export const overview: TextsOf<'overview' | 'checks' | 'integration' | 'keys'> = {
  overview: {
    lines: {
      variant: (number: string): string => `Variante ${number}`,
      winner: 'Gewinner',
      before: 'Vorher: korrigiert',
      after: 'Nachher: Korrektur',
      test: (count: number): string => `A/B-Test, Sendungen: ${count}`,
    },
    compose: 'Neue Benachrichtigung',
    readers: 'Leser',
    active: 'Leser',
    activeHint: 'Derzeit abonniert',
    reachable: 'Erreichbar',
    reachableHint: (share: string): string => `${share} davon wurden in den letzten 30 Tagen gesehen`,
    joined: 'Neu',
    week: 'In den letzten 7 Tagen',
    left: 'Verloren',
    leftHint: 'Abgemeldet, letzte 7 Tage',
    net: 'Saldo',
    netHint: 'Neue minus Verlorene',
    last: 'Letzte Benachrichtigungen',
    lastAbout: 'Jede neben der Klickrate, die für ihre Stunde an Werktagen oder am Wochenende üblich ist.',
    lastNone: 'Es wurde noch nichts gesendet.',
    allDeliveries: 'Alle Sendungen',
    young: 'Es gehen noch Klicks ein',
    typical: (from: string, to: string, place: 'above' | 'below' | 'within' | null): string =>
      `${place === null ? '' : `${places[place]}: `}${from} – ${to}`,
    scheduled: 'Geplant',
    scheduledNone: 'Es ist nichts geplant.',
    needs: {
      handed: 'wurde Ihnen übergeben.',
      title: 'Handlungsbedarf',
      failed: 'ist fehlgeschlagen: Kein Leser wurde erreicht.',
      troubled: 'ist bei vielen Lesern fehlgeschlagen.',
      stuck: 'wird seit mehr als einer halben Stunde gesendet.',
      decide: 'wartet darauf, dass Sie den Gewinner wählen.',
      unreadable: 'ist nicht lesbar: Daraus wird nichts Neues gesendet.',
      drafts: (count: number): string =>
        plural(
          count,
          'hat einen Entwurf, der auf Ihre Entscheidung wartet.',
          `hat ${count} Entwürfe, die auf Ihre Entscheidung warten.`,
        ),
      service: (service: string, count: string): string =>
        `${service} hat in den letzten zwei Tagen ${count} ${plural(count, 'Nachricht', 'Nachrichten')} abgelehnt.`,
      throttled: (service: string, times: number, shown: string): string =>
        `${service} hat diese App heute oder gestern (UTC) ${plural(times, 'einmal', `${shown}-mal`)} gedrosselt: Sie sendete schneller, als ${service} annimmt.`,
    },
  },
  checks: {
    title: 'Einrichtung',
    hint: 'Die Schritte, bis Benachrichtigungen Ihre Leser erreichen.',
    states: {
      done: 'erledigt',
      next: 'als Nächstes',
      waits: 'später',
      wrong: 'Handlungsbedarf',
      advice: 'empfohlen',
    },
    key: {
      done: 'Die App hat ihren VAPID-Schlüssel',
      open: 'Die App hat keinen VAPID-Schlüssel',
      hint: (): string =>
        'Er weist die App gegenüber Push-Diensten aus. Starten Sie einen Schlüsselwechsel, um einen zu erzeugen.',
      act: (): string => 'Zu den Schlüsseln',
    },
    https: {
      done: 'Die Adresse der Website beginnt mit https',
      open: 'Die Website läuft nicht über https',
      hint: (): string =>
        'Browser erlauben Benachrichtigungen nur auf sicheren Seiten. Stellen Sie die Website auf https um und ändern Sie ihre Adresse hier.',
      act: (): string => 'Zu den Einstellungen',
    },
    subscribed: {
      done: 'Ein Leser hat auf Ihrer Website abonniert: Das Snippet funktioniert',
      open: 'Snippet in die Website einbinden und selbst abonnieren',
      hint: (readers: number): string =>
        readers === 0
          ? 'Noch hat niemand abonniert. Der erste Abonnent erscheint hier automatisch.'
          : 'Ihre Abonnenten wurden importiert; seitdem war noch keiner ihrer Browser auf Ihrer Website. Der erste erscheint hier automatisch.',
      hintHere:
        'Probieren Sie es zuerst ohne Website: Schalten Sie auf der Beispielseite dieses Broadside Benachrichtigungen ein. Der erste Abonnent erscheint hier automatisch.',
      act: (): string => 'Snippet anzeigen',
    },
    sent: {
      done: 'Eine Benachrichtigung wurde gesendet',
      open: 'Die erste Benachrichtigung senden',
      hint: (readers: number): string =>
        readers <= 1
          ? 'Probieren Sie es an sich selbst aus: Noch sind Sie der einzige Leser.'
          : 'Sie geht an alle. Wählen Sie zum Testen ein eigenes Segment oder machen Sie einen Probelauf: Er erreicht niemanden.',
      act: (readers: number): string =>
        readers <= 1 ? 'Jetzt verfassen' : `An ${readers.toLocaleString(locale)} Leser schreiben`,
    },
    icon: {
      done: 'Benachrichtigungen haben Ihr Icon',
      open: 'Benachrichtigungen haben noch kein Icon',
      hint: (): string =>
        'Das Icon sehen Leser zuerst. Ohne eines zeichnet Chrome auf Android einen Buchstaben.',
      act: (): string => 'Ein Icon wählen',
    },
    iphone: {
      done: 'Leser mit einem iPhone können abonnieren',
      open: 'Leser mit einem iPhone können noch nicht abonnieren',
      unknown: 'Ob Leser mit einem iPhone abonnieren können, ist nicht bekannt',
      unknownHint: 'Ihre Startseite war aus dem Internet nicht lesbar und ließ sich deshalb nicht prüfen.',
      hint: (): string =>
        'Ihrer Website fehlt etwas, das iPhones und iPads verlangen. Andere Leser betrifft das nicht.',
      act: (): string => 'Zeigen, was fehlt',
    },
  },
  integration: {
    title: 'Einbindung',
    description: (site: string): string =>
      `Zwei Snippets bringen Benachrichtigungen auf ${site}. Kopieren Sie sie unverändert.`,
    descriptionHere: (site: string): string =>
      `Zwei Snippets bringen Benachrichtigungen auf ${site}. Sie nennen diesen Rechner, den Leser nicht erreichen: Zum Ausprobieren stimmen sie; für Leser setzen Sie PUBLIC_BASE_URL auf die Adresse dieses Broadside, starten es neu und kopieren sie dann.`,
    identifier: 'App-Kennung',
    worker: '1. Eine Datei auf Ihrer Website',
    workerHint: (path: string): string =>
      `Über sie empfangen Browser Benachrichtigungen. Speichern Sie sie als ${path} im Stammverzeichnis Ihrer Website.`,
    page: '2. Ein Snippet auf jeder Seite',
    pageHint:
      'Vor dem schließenden </body>. Es zeigt in der Ecke eine Glocke; erst ein Klick darauf fragt nach der Berechtigung.',
    test: '3. Ausprobieren',
    testHint:
      'Öffnen Sie Ihre Website, klicken Sie auf die Glocke und erlauben Sie Benachrichtigungen. Die Übersicht zeigt dann Ihren ersten Abonnenten, und Sie können sich selbst eine Benachrichtigung senden.',
    toOverview: 'Zur Übersicht',
    tryHere: 'Zuerst in diesem Browser ausprobieren',
    tryHereHint:
      'Auf der Beispielseite Ihres eigenen Broadside, ganz ohne Website. Schalten Sie dort Benachrichtigungen ein und verfassen Sie dann eine. Das geht nur, solange Broadside auf diesem Computer läuft.',
    openExample: 'Beispielseite öffnen',
    more: 'Weitere Möglichkeiten',
    existing: 'Ihre Website hat bereits einen Service Worker',
    existingHint:
      'Lassen Sie die Datei aus Schritt 1 weg. Setzen Sie stattdessen diese Zeile an den Anfang Ihres Service Workers und geben Sie ihn in init mit workerUrl an.',
    module: 'Ihre Seiten sind aus Modulen aufgebaut',
    moduleHint: 'Dasselbe als ES-Modul, mit Typen. Tags ordnen Ihre Leser Segmenten zu.',
    moving: {
      title: 'Sie kommen von einem anderen Dienst',
      hint: 'Importierte Leser kennen nur die alte Adresse ihres Service Workers. Legen Sie diese Datei dorthin und lassen Sie jede Seite sie nennen.',
      service: 'Dienst',
      ownServer: 'Eigener Server',
      beside: (path: string): string => `An der alten Adresse, solange beide Dienste senden: ${path}`,
      worker: (path: string): string => `An der alten Adresse, sobald der andere nichts mehr sendet: ${path}`,
      page: 'In jede Seite, anstelle von Schritt 2',
      guide: 'Anleitung für den ganzen Umzug',
    },
    policy: 'Ihre Website hat eine Content Security Policy',
    policyHint: 'Erlauben Sie darin die Adresse von Broadside:',
    policyText: (origin: string): string => `script-src ${origin}; connect-src ${origin}; worker-src 'self'`,
    iphone: {
      title: 'iPhone und iPad',
      hint: 'Safari zeigt dort nur Benachrichtigungen von Websites auf dem Home-Bildschirm (ab iOS 16.4). Dafür braucht Ihre Website ein Web-App-Manifest. Leser wählen dann „Teilen“, „Zum Home-Bildschirm“ mit „Als Web-App öffnen“, öffnen sie von dort und klicken auf die Glocke; bis dahin erklärt die Glocke diesen Weg.',
      check: 'Website prüfen',
      again: 'Erneut prüfen',
      ready: 'Ihre Website ist bereit: Leser können sie auf den Home-Bildschirm legen und abonnieren.',
      missing: 'iPhones und iPads erhalten noch keine Benachrichtigungen. Es fehlt:',
      unknown: 'Ihre Website ließ sich nicht prüfen:',
      poor: 'iPhones und iPads werden erreicht. Besser wäre:',
      manifest: 'Manifest: ',
      findings: {
        page_unreachable:
          'Die Startseite war aus dem Internet nicht innerhalb von 5 Sekunden lesbar. Stimmt die Adresse in den Einstellungen, und ist die Seite öffentlich?',
        manifest_missing:
          'Die Startseite nennt kein Web-App-Manifest. Setzen Sie dies in ihren head: <link rel="manifest" href="/manifest.json">',
        manifest_unreachable:
          'Das Manifest war nicht lesbar. Seine Adresse muss ohne Anmeldung antworten, mit höchstens 64 KB.',
        manifest_invalid: 'Das Manifest ist kein JSON-Objekt.',
        display:
          'Das Manifest braucht "display": "standalone". Sonst öffnet das Icon Safari, wo es keine Benachrichtigungen gibt.',
        start_url:
          '"start_url" im Manifest muss eine Seite dieser Website sein, innerhalb von "scope". Sonst öffnet das Icon eine andere.',
        name: 'Das Manifest braucht einen "name": Er steht unter dem Icon und in jeder Benachrichtigung.',
        icon: 'Auf dem Home-Bildschirm erschiene kein eigenes Icon. Nennen Sie ein PNG mit mindestens 180 × 180 Pixeln in "icons" oder als <link rel="apple-touch-icon">.',
      },
    },
    prompt: 'Opt-in-Abfrage',
    promptHint:
      'prompt: { kind: "bell" } schwebt in einer Ecke, "bar" erscheint nach einigen Sekunden am Rand, "element" nutzt eine eigene Schaltfläche: { kind: "element", element: "#notify" }. Texte und Farben sind einstellbar. Ohne Klick fragt der Browser nie nach.',
  },
  keys: {
    title: 'VAPID-Schlüssel',
    description:
      'Mit diesem Schlüssel weist sich Ihre App gegenüber Push-Diensten aus; jedes Abonnement ist an einen Schlüssel gebunden. Wechseln Sie ihn nur, wenn der private Schlüssel in fremde Hände gelangt sein könnte.',
    adminsOnly: 'Nur Admins können ihn wechseln.',
    list: 'VAPID-Schlüssel',
    id: 'Schlüssel',
    state: 'Status',
    subscriptions: 'Abonnements',
    created: 'Erstellt',
    ended: 'Deaktiviert',
    copyPublic: 'Öffentlichen Schlüssel kopieren',
    states: { active: 'Aktiv', retiring: 'Läuft aus', ended: 'Wird deaktiviert', retired: 'Deaktiviert' },
    rotate: 'Schlüssel wechseln',
    rotateQuestion: 'Den Schlüssel wechseln?',
    rotateText:
      'Ein neuer Schlüssel wird aktiv. Leser gehen automatisch auf ihn über, wenn sie Ihre Website besuchen; bis dahin erreicht sie der alte.',
    rotated: 'Der neue Schlüssel ist aktiv. Leser gehen auf ihn über, wenn sie Ihre Website besuchen.',
    progress: 'Schlüsselwechsel',
    progressText: (moved: string, all: string): string =>
      `${moved} von ${all} ${plural(all, 'Abonnement nutzt', 'Abonnements nutzen')} den neuen Schlüssel.`,
    end: 'Alten Schlüssel deaktivieren',
    endQuestion: 'Den alten Schlüssel deaktivieren?',
    endText: (left: string): string =>
      `${left} ${plural(left, 'Abonnement nutzt', 'Abonnements nutzen')} noch den alten Schlüssel. Solche Abonnements werden abgemeldet, und die Leser müssen beim nächsten Besuch Ihrer Website erneut abonnieren. Das lässt sich nicht rückgängig machen.`,
    endAct: 'Alten Schlüssel endgültig deaktivieren',
    endDone: 'Der alte Schlüssel wird deaktiviert. Seine Abonnements werden abgemeldet.',
  },
};
