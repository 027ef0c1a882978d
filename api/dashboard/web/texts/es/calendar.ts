import type { TextsOf } from '../texts.ts';

/** What is sent when. */
export const calendar: TextsOf<'calendar'> = {
  calendar: {
    title: 'Calendario',
    zone: (zone: string): string => `Lo enviado, lo programado y lo previsto. Horas en ${zone}.`,
    view: 'Vista',
    views: { month: 'Mes', week: 'Semana' },
    before: { month: 'Mes anterior', week: 'Semana anterior' },
    after: { month: 'Mes siguiente', week: 'Semana siguiente' },
    today: 'Hoy',
    caption: 'Notificaciones por día',
    add: (day: string): string => `Escribir una para ${day}`,
    more: (count: number): string => `${count} más`,
    expected: 'prevista',
    byReader: 'a la hora local de cada lector',
    sentTo: (count: string): string => `enviada a ${count}`,
    empty: 'En estos días no hay nada enviado, programado ni previsto.',
    truncated: 'Hay más de lo que cabe aquí: cambie a la semana.',
    move: (name: string): string => `Mover ${name}`,
    act: 'Mover',
    moved: (name: string, time: string): string => `${name} está programada para ${time}.`,
    undo: 'Deshacer',
  },
};
