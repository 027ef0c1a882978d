import type { UseFormReturnType } from '@mantine/form';
import type { FeedValues } from './values.ts';

export interface WithFeedForm {
  readonly form: UseFormReturnType<FeedValues>;
}
