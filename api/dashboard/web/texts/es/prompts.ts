import type { Texts } from '../texts.ts';

/** How a site asks its readers. */
export const prompts: Pick<Texts, 'prompts'> = {
  prompts: {
    description:
      'Cómo su sitio ofrece las notificaciones a los lectores. La pregunta del navegador llega solo después de un sí a la suya.',
    saved: 'Guardado. Sus páginas lo muestran en dos minutos.',
    on: 'Solicitud de suscripción',
    onHint:
      'Las páginas que indican su propia solicitud en Broadside.init la mantienen. Sin ninguna, las páginas muestran una campana.',
    enabled: 'Preguntar a los lectores como se indica aquí',
    look: 'Aspecto',
    variant: (name) => `Variante ${name}`,
    variantHint: 'Cada navegador recibe una de las dos al azar y la conserva.',
    addVariant: 'Comparar con una segunda solicitud',
    remove: 'Quitar',
    removeOf: (name) => `Quitar la variante ${name}`,
    previewOf: (name) => `Vista previa de la variante ${name}`,
    kind: 'Tipo',
    kinds: { 'slide-down': 'Desplegable', bar: 'Barra', bell: 'Campana' },
    place: 'Posición',
    places: { bottom: 'Abajo', top: 'Arriba', right: 'Abajo a la derecha', left: 'Abajo a la izquierda' },
    question: 'Pregunta',
    textsHint: 'Deje un texto vacío para mostrar el nuestro, en el idioma de su página: hay doce.',
    accept: 'Texto del botón «Sí»',
    later: 'Texto del botón «Ahora no»',
    own: {
      question: '¿Quiere recibir las noticias al momento?',
      accept: 'Sí, avísenme',
      later: 'Ahora no',
    },
    categories: 'Los lectores eligen categorías en ella',
    categoriesHint:
      'Las doce primeras por nombre. Quien deja todas elegidas recibe también las que vengan después.',
    colours: { background: 'Fondo', text: 'Texto', accent: 'Botón', accent_text: 'Texto del botón' },
    rules: 'Cuándo',
    rulesHint: 'Deben cumplirse todas las condiciones. Una campana depende solo de las direcciones.',
    pages: 'Desde la página vista número',
    seconds: 'Tras estos segundos en la página',
    scroll: 'Tras este porcentaje de la página',
    showOn: 'Solo en estas direcciones',
    hideOn: 'Nunca en estas direcciones',
    pathsHint: 'Una ruta por línea, como /news/*. Un * sustituye a cualquier carácter. Vacío: en todas.',
    pathWrong: 'Cada línea debe empezar por / o *.',
    again: 'Tras «ahora no», volver a preguntar',
    agains: { '3': 'Tras 3 días', '7': 'Tras 7 días', '30': 'Tras 30 días', never: 'Nunca' },
    winBack: 'Recuperar lectores',
    winBackHint:
      'A los lectores cuyo navegador retiró el permiso se les pregunta una vez más, con un texto propio.',
    results: 'Resultados',
    invented:
      '«Mostrada», «Sí», «Permitido» y «Ahora no» es lo que comunican los navegadores, una vez cada uno, y podría falsificarse. Deciden los nuevos suscriptores. Si cambia las variantes, el recuento empieza de nuevo. La tasa es la de nuevos suscriptores por solicitud mostrada; debajo, el intervalo en que está con un 95 % de probabilidad.',
    since: (day) => `Contado desde el ${day}.`,
    variantHeader: 'Variante',
    counts: {
      shown: 'Mostrada',
      accepted: 'Sí',
      granted: 'Permitido',
      dismissed: 'Ahora no',
      subscribed: 'Suscritos',
    },
    rate: 'Tasa',
    between: (low, high) => `${low} a ${high}`,
    best: 'Mejor con',
  },
};
