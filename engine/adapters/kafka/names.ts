import type { Topic } from '../../contract/topics.ts';

/** The names of one installation on the cluster. */
export const topicName = (prefix: string, topic: Topic): string => `${prefix}${topic}`;
export const deadTopicName = (prefix: string, topic: Topic): string => `${prefix}${topic}.dead`;
/** A topic has one reader group. */
export const groupName = (prefix: string, topic: Topic): string => `${prefix}${topic}.readers`;

export const REASON_HEADER = 'broadside-reason';
/** `partition-offset` of the record that died. */
export const ORIGINAL_ID_HEADER = 'broadside-original-id';

export const recordId = (partition: number, offset: number): string => `${partition}-${offset}`;
