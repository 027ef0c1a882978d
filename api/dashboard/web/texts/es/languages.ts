import type { TextsOf } from '../texts.ts';

/** One notification in several languages, and readers' tags in it. */
export const languages: TextsOf<'languages'> = {
  languages: {
    languages: 'Idiomas',
    about:
      'Los lectores la reciben en el idioma de su navegador si la escribe aquí. Los demás reciben el texto de arriba.',
    main: 'Idioma del texto de arriba',
    mainAbout: 'Los lectores de pantalla lo pronuncian como corresponde.',
    add: 'Añadir un idioma',
    none: 'No se encuentra ese idioma',
    remove: (name: string): string => `Quitar ${name}`,
    titleIn: (name: string): string => `Título, ${name}`,
    bodyIn: (name: string): string => `Texto, ${name}`,
    urlIn: (name: string): string => `Enlace, ${name}`,
    urlAbout: 'Vacío: el enlace de arriba.',
    iconIn: (name: string): string => `Icono, ${name}`,
    iconAbout: 'Vacío: el icono de arriba.',
    buttonIn: (number: number, name: string): string => `Botón ${number}, ${name}`,
    preview: 'Vista previa en',
    mainText: 'Texto principal',
    texts: 'Textos',
    textsAbout: 'Cada lector recibe el del idioma de su navegador.',
    everyoneElse: 'Todos los demás',
    everyoneElseIn: (name: string): string => `${name}, y todos los demás`,
    personal: 'Cita etiquetas del lector: cada mensaje tiene sus propias palabras.',
    insert: 'Insertar en el texto',
    tag: {
      insert: 'Etiqueta del lector',
      about: 'Cada lector ve el valor de su propia etiqueta.',
      key: 'Etiqueta',
      otherwise: 'Para lectores sin ella',
      otherwiseExample: 'lector',
      act: 'Insertar',
    },
  },
};
