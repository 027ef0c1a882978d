import type { Texts } from '../texts.ts';

export const it: Texts = {
  question: 'Vuoi ricevere le notizie in tempo reale?',
  benefit: 'Anche quando questa pagina è chiusa. Può disattivarle in qualsiasi momento.',
  accept: 'Sì, avvisami',
  later: 'Non ora',
  winBack:
    'Il browser ha disattivato le notifiche di questo sito perché non lo visitava da un po’. Riattivarle?',
  choose: 'Su quali argomenti?',
  subscribe: 'Attiva le notifiche',
  unsubscribe: 'Disattiva le notifiche',
  subscribed: 'Le notifiche sono attive.',
  unsubscribed: 'Le notifiche sono disattivate.',
  denied: 'Le notifiche sono bloccate. Consentile nelle impostazioni del browser per questo sito.',
  homeScreen:
    'Per ricevere notifiche qui, tocca «Condividi», poi «Aggiungi alla schermata Home» con «Apri come app web», e apri la pagina da lì.',
  failed: 'Non ha funzionato. Riprova più tardi.',
  close: 'Chiudi',
  quiet: 'Il browser non ha chiesto nulla, o mostra solo una campanella barrata nella barra degli indirizzi?',
  showHow: 'Mostrami come consentirle',
  helpTitle: 'Come attivare le notifiche',
  helpEnd: 'Poi ricarica questa pagina.',
  help: {
    chromeDesktop: [
      'Fai clic sull’icona a sinistra dell’indirizzo.',
      'Apri «Impostazioni sito».',
      'Accanto a «Notifiche», scegli «Consenti».',
    ],
    chromeAndroid: [
      'Tocca l’icona a sinistra dell’indirizzo.',
      'Tocca «Autorizzazioni», poi «Notifiche».',
      'Attiva «Mostra notifiche».',
      'Se è in grigio, consenti prima le notifiche di Chrome nelle impostazioni di Android, in «App».',
    ],
    edge: [
      'Fai clic sull’icona a sinistra dell’indirizzo.',
      'Apri «Autorizzazioni per questo sito».',
      'Accanto a «Notifiche», scegli «Consenti».',
    ],
    firefox: [
      'Fai clic sull’icona a sinistra dell’indirizzo.',
      'Accanto a «Invia notifiche», rimuovi «Bloccato».',
      'Su Android, tocca il lucchetto, poi «Notifica», finché non indica «Consentito».',
    ],
    safari: [
      'Nella barra dei menu, apri «Safari», poi «Impostazioni».',
      'Scegli «Siti web», poi «Notifiche».',
      'Accanto a questo sito, scegli «Consenti».',
    ],
    ios: [
      'Tocca «Condividi», poi «Aggiungi alla schermata Home» con «Apri come app web», e apri il sito da lì.',
      'Se è già lì, apri l’app «Impostazioni», poi «Notifiche».',
      'Scegli questo sito e attiva «Consenti notifiche».',
    ],
  },
};
