import type { Texts } from '../texts.ts';

export const es: Texts = {
  question: '¿Quiere recibir las noticias al momento?',
  benefit: 'Incluso con esta página cerrada. Puede desactivarlas cuando quiera.',
  accept: 'Sí, avísenme',
  later: 'Ahora no',
  winBack:
    'Su navegador ha desactivado las notificaciones de este sitio porque hacía tiempo que no lo visitaba. ¿Activarlas de nuevo?',
  choose: '¿Sobre qué temas?',
  subscribe: 'Activar las notificaciones',
  unsubscribe: 'Desactivar las notificaciones',
  subscribed: 'Las notificaciones están activadas.',
  unsubscribed: 'Las notificaciones están desactivadas.',
  denied: 'Las notificaciones están bloqueadas. Permítalas en los ajustes de su navegador para este sitio.',
  homeScreen:
    'Para recibir notificaciones aquí, toque «Compartir», luego «Añadir a pantalla de inicio» con «Abrir como app web», y abra la página desde ahí.',
  failed: 'No ha funcionado. Inténtelo de nuevo más tarde.',
  close: 'Cerrar',
  quiet: '¿Su navegador no ha preguntado, o solo muestra una campana tachada en la barra de direcciones?',
  showHow: 'Ver cómo permitirlo',
  helpTitle: 'Cómo activar las notificaciones',
  helpEnd: 'Después, vuelva a cargar esta página.',
  help: {
    chromeDesktop: [
      'Haga clic en el icono a la izquierda de la dirección.',
      'Abra «Configuración de sitios».',
      'Junto a «Notificaciones», elija «Permitir».',
    ],
    chromeAndroid: [
      'Toque el icono a la izquierda de la dirección.',
      'Toque «Permisos» y después «Notificaciones».',
      'Active «Mostrar notificaciones».',
      'Si aparece en gris, permita antes las notificaciones de Chrome en los ajustes de Android, en «Aplicaciones».',
    ],
    edge: [
      'Haga clic en el icono a la izquierda de la dirección.',
      'Abra «Permisos para este sitio».',
      'Junto a «Notificaciones», elija «Permitir».',
    ],
    firefox: [
      'Haga clic en el icono a la izquierda de la dirección.',
      'Junto a «Enviar notificaciones», quite «Bloqueado».',
      'En Android, toque el candado y después «Notificación» hasta que diga «Permitido».',
    ],
    safari: [
      'En la barra de menús, abra «Safari» y después «Ajustes».',
      'Elija «Sitios web» y después «Notificaciones».',
      'Junto a este sitio, elija «Permitir».',
    ],
    ios: [
      'Toque «Compartir», luego «Añadir a pantalla de inicio» con «Abrir como app web», y abra el sitio desde ahí.',
      'Si ya está ahí, abra la app «Ajustes» y después «Notificaciones».',
      'Elija este sitio y active «Permitir notificaciones».',
    ],
  },
};
