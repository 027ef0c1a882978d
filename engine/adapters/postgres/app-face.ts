const absolute = (column: string): string =>
  `CASE WHEN ${column} LIKE '/%' THEN apps.image_base || ${column} ELSE ${column} END`;

/** An app's `Face`, as one column of a query that joins `apps`. */
export const faceOfApp = `jsonb_build_object('icon', ${absolute('apps.icon_url')}, 'badge', ${absolute('apps.badge_url')},
  'counts', apps.app_badge)`;
