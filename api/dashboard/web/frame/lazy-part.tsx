import { type ComponentType, lazy } from 'react';
import { loadSeldomTexts } from '../texts/t.ts';

/** A part of a page that few people see: its code and its texts come when it is first shown. */
export const lazyPart = <Props extends object>(
  importer: () => Promise<{ readonly default: ComponentType<Props> }>,
) => lazy(() => loadSeldomTexts().then(importer));
