import type { Texts } from '../texts.ts';

export const tr: Texts = {
  question: 'Haberleri anında almak ister misiniz?',
  benefit: 'Bu sayfa kapalıyken bile. İstediğiniz zaman kapatabilirsiniz.',
  accept: 'Evet, bildirim gönder',
  later: 'Şimdi değil',
  winBack:
    'Bir süredir ziyaret etmediğiniz için tarayıcınız bu sitenin bildirimlerini kapattı. Yeniden açılsın mı?',
  choose: 'Hangi konularda?',
  subscribe: 'Bildirimleri aç',
  unsubscribe: 'Bildirimleri kapat',
  subscribed: 'Bildirimler açık.',
  unsubscribed: 'Bildirimler kapalı.',
  denied: 'Bildirimler engellenmiş. Tarayıcınızın bu siteyle ilgili ayarlarından izin verin.',
  homeScreen:
    'Burada bildirim almak için “Paylaş”a, ardından “Web Uygulaması Olarak Aç” seçeneğiyle “Ana Ekrana Ekle”ye dokunun ve sayfayı oradan açın.',
  failed: 'İşlem başarısız oldu. Lütfen daha sonra yeniden deneyin.',
  close: 'Kapat',
  quiet: 'Tarayıcınız sormadı mı, ya da adres çubuğunda yalnızca üstü çizili bir zil mi var?',
  showHow: 'Nasıl izin vereceğimi göster',
  helpTitle: 'Bildirimler nasıl açılır',
  helpEnd: 'Ardından bu sayfayı yeniden yükleyin.',
  help: {
    chromeDesktop: [
      'Adresin solundaki simgeyi tıklayın.',
      '“Site ayarları”nı açın.',
      '“Bildirimler”in yanında “İzin ver”i seçin.',
    ],
    chromeAndroid: [
      'Adresin solundaki simgeye dokunun.',
      '“İzinler”e, ardından “Bildirimler”e dokunun.',
      '“Bildirimleri göster”i açın.',
      'Seçenek griyse önce Android ayarlarındaki “Uygulamalar” bölümünden Chrome bildirimlerine izin verin.',
    ],
    edge: [
      'Adresin solundaki simgeyi tıklayın.',
      '“Bu sitenin izinleri”ni açın.',
      '“Bildirimler”in yanında “İzin ver”i seçin.',
    ],
    firefox: [
      'Adresin solundaki simgeyi tıklayın.',
      '“Bildirim gönderme”nin yanındaki “Engellendi” ifadesini kaldırın.',
      'Android’de kilide, ardından “İzin verildi” yazana kadar “Bildirim”e dokunun.',
    ],
    safari: [
      'Menü çubuğunda “Safari”yi, ardından “Ayarlar”ı açın.',
      '“Web Siteleri”ni, ardından “Bildirimler”i seçin.',
      'Bu sitenin yanında “İzin Ver”i seçin.',
    ],
    ios: [
      '“Paylaş”a, ardından “Web Uygulaması Olarak Aç” seçeneğiyle “Ana Ekrana Ekle”ye dokunun ve siteyi oradan açın.',
      'Site zaten oradaysa “Ayarlar” uygulamasını, ardından “Bildirimler”i açın.',
      'Bu siteyi seçip “Bildirimlere İzin Ver”i açın.',
    ],
  },
};
