import type { Texts } from '../texts.ts';

/** Cómo un sitio pregunta a sus lectores. */
export const prompts: Pick<Texts, 'prompts'> = {
  prompts: {
    description:
      'Cómo su sitio ofrece las notificaciones a los lectores. La pregunta del navegador llega solo después de un sí a la suya.',
    saved: 'Guardado. Sus páginas lo aplican en dos minutos.',
    on: 'Invitación',
    onHint:
      'Las páginas que indican su propia invitación en Broadside.init la mantienen. Sin ninguna, las páginas muestran una campana.',
    enabled: 'Preguntar a los lectores como se indica aquí',
    look: 'Aspecto',
    variant: (name) => `Variante ${name}`,
    variantHint: 'Cada navegador recibe una de las dos al azar y la conserva.',
    addVariant: 'Comparar con una segunda invitación',
    remove: 'Quitar',
    removeOf: (name) => `Quitar la variante ${name}`,
    previewOf: (name) => `Vista previa de la variante ${name}`,
    kind: 'Tipo',
    kinds: { 'slide-down': 'Desplegable', bar: 'Barra', bell: 'Campana' },
    place: 'Lugar',
    places: { bottom: 'Abajo', top: 'Arriba', right: 'Abajo a la derecha', left: 'Abajo a la izquierda' },
    question: 'Pregunta',
    textsHint: 'Donde deje un texto vacío, los lectores ven el nuestro en el idioma de su página: hay doce.',
    accept: 'Botón para sí',
    later: 'Botón para ahora no',
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
    rulesHint: 'Deben cumplirse todas las condiciones. Una campana sigue solo las direcciones.',
    pages: 'Desde la página vista',
    seconds: 'Tras segundos en la página',
    scroll: 'Tras porcentaje de la página',
    showOn: 'Solo en estas direcciones',
    hideOn: 'Nunca en estas direcciones',
    pathsHint: 'Una ruta por línea, como /news/*. Un * vale por cualesquiera caracteres. Vacío: en todas.',
    pathWrong: 'Cada línea debe empezar por / o *.',
    again: 'Tras «ahora no», volver a preguntar',
    agains: { '3': 'Tras 3 días', '7': 'Tras 7 días', '30': 'Tras 30 días', never: 'Nunca' },
    results: 'Resultados',
    invented:
      'Mostrada, sí, permitido y ahora no son lo que dicen los navegadores, una vez cada uno: un extraño podría inventarlo. Deciden los nuevos suscriptores. Otras variantes empiezan nuevas cuentas. La tasa es la de nuevos suscriptores sobre mostradas; debajo, dónde está con 95 %.',
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
