import type { Texts } from '../texts.ts';

export const pl: Texts = {
  question: 'Chcesz otrzymywać wiadomości na bieżąco?',
  benefit: 'Nawet gdy ta strona jest zamknięta. Można je w każdej chwili wyłączyć.',
  accept: 'Tak, powiadamiaj mnie',
  later: 'Nie teraz',
  winBack:
    'Przeglądarka wyłączyła powiadomienia z tej strony, ponieważ od dawna jej nie odwiedzano. Włączyć je ponownie?',
  choose: 'O czym?',
  subscribe: 'Włącz powiadomienia',
  unsubscribe: 'Wyłącz powiadomienia',
  subscribed: 'Powiadomienia są włączone.',
  unsubscribed: 'Powiadomienia są wyłączone.',
  denied: 'Powiadomienia są zablokowane. Zezwól na nie w ustawieniach przeglądarki dla tej strony.',
  homeScreen:
    'Aby otrzymywać tu powiadomienia, stuknij „Udostępnij”, potem „Do ekranu początkowego” z opcją „Otwórz jako aplikację sieciową”, i otwórz stronę stamtąd.',
  failed: 'Nie udało się. Spróbuj ponownie później.',
  close: 'Zamknij',
  quiet: 'Przeglądarka nie zapytała lub pokazuje tylko przekreślony dzwonek w pasku adresu?',
  showHow: 'Pokaż, jak zezwolić',
  helpTitle: 'Jak włączyć powiadomienia',
  helpEnd: 'Potem wczytaj tę stronę ponownie.',
  help: {
    chromeDesktop: [
      'Kliknij ikonę po lewej stronie adresu.',
      'Otwórz „Ustawienia witryn”.',
      'Przy pozycji „Powiadomienia” wybierz „Zezwalaj”.',
    ],
    chromeAndroid: [
      'Stuknij ikonę po lewej stronie adresu.',
      'Stuknij „Uprawnienia”, a potem „Powiadomienia”.',
      'Włącz „Pokazuj powiadomienia”.',
      'Jeśli opcja jest wyszarzona, najpierw zezwól na powiadomienia Chrome w ustawieniach Androida, w sekcji „Aplikacje”.',
    ],
    edge: [
      'Kliknij ikonę po lewej stronie adresu.',
      'Otwórz „Uprawnienia dla tej witryny”.',
      'Przy pozycji „Powiadomienia” wybierz „Zezwalaj”.',
    ],
    firefox: [
      'Kliknij ikonę po lewej stronie adresu.',
      'Przy pozycji „Wysyłanie powiadomień” usuń „Zablokowane”.',
      'W Androidzie stuknij kłódkę, a potem „Powiadomienie”, aż pojawi się „Dozwolone”.',
    ],
    safari: [
      'Na pasku menu otwórz „Safari”, a potem „Ustawienia”.',
      'Wybierz „Witryny”, a potem „Powiadomienia”.',
      'Przy tej stronie wybierz „Pozwól”.',
    ],
    ios: [
      'Stuknij „Udostępnij”, potem „Do ekranu początkowego” z opcją „Otwórz jako aplikację sieciową”, i otwórz stronę stamtąd.',
      'Jeśli już tam jest, otwórz aplikację „Ustawienia”, a potem „Powiadomienia”.',
      'Wybierz tę stronę i włącz „Pozwalaj na powiadomienia”.',
    ],
  },
};
