import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** A notification that was wrong, and the one that corrects it. */
export const corrections: TextsOf<'correction'> = {
  correction: {
    correct: 'Corregir',
    correctThis: 'Corregir esta notificación',
    title: 'Corregir la notificación',
    act: 'Enviar la corrección',
    actNow: 'Detener y corregir',
    same: 'Cambie el título, el texto o el enlace.',
    done: 'La corrección está en camino.',
    stops:
      'Lo que aún no se ha enviado se detiene ahora; quienes la estén recibiendo también reciben la corrección.',
    goesTo: (count: string): string =>
      `La corrección llega ${count === '1' ? 'al lector' : `a los ${count} lectores`} cuyo servicio push la aceptó.`,
    replaces: 'Sus navegadores la muestran en lugar del primer texto y avisan de nuevo.',
    onApple:
      'Safari en iPhone y iPad no puede sustituir una notificación: allí la corrección aparece junto a la primera.',
    corrected: 'Corregida',
    corrects: 'Corrección de la',
    readers: 'Quienes recibieron la notificación corregida',
    number: (id: number): string => `notificación ${id}`,
    seenBefore: (count: string): string =>
      `${count} ${plural(count, 'lector había', 'lectores habían')} visto este texto antes de la corrección.`,
    seenUnknown: 'Ahora no se sabe cuántos habían visto este texto.',
    seenRight: (count: string): string =>
      `${count} ${plural(count, 'lector ha', 'lectores han')} visto el correcto:`,
  },
};
