import type { TextsOf } from '../texts.ts';
import { plural } from './plural.ts';

/** A notification that was wrong, and the one that corrects it. */
export const corrections: TextsOf<'correction'> = {
  correction: {
    correct: 'Corriger',
    correctThis: 'Corriger cette notification',
    title: 'Corriger la notification',
    act: 'Envoyer la correction',
    actNow: 'Arrêter et corriger',
    same: 'Modifiez le titre, le texte ou le lien.',
    done: 'La correction est en route.',
    stops:
      'Ce qui n’est pas encore envoyé est arrêté maintenant ; ceux pour qui elle est en cours d’envoi reçoivent aussi la correction.',
    goesTo: (count: string): string =>
      `La correction est envoyée ${count === '1' ? 'au lecteur' : `aux ${count} lecteurs`} dont le service de push l’a acceptée.`,
    replaces: 'Leurs navigateurs l’affichent à la place du premier texte et les alertent à nouveau.',
    onApple:
      'Safari sur iPhone et iPad ne peut pas remplacer une notification : la correction s’y affiche à côté de la première.',
    corrected: 'Corrigée',
    corrects: 'Correction de la',
    readers: 'Les lecteurs qui ont reçu la notification corrigée',
    number: (id: number): string => `notification ${id}`,
    seenBefore: (count: string): string =>
      `${count} ${plural(count, 'lecteur avait', 'lecteurs avaient')} vu ce texte avant la correction.`,
    seenUnknown: 'Le nombre de lecteurs qui avaient vu ce texte n’est pas connu pour l’instant.',
    seenRight: (count: string): string =>
      `${count} ${plural(count, 'lecteur a', 'lecteurs ont')} vu le bon :`,
  },
};
