/** Of a subscription, of all writes together, since a row is read whole. */
export const MAX_TAGS = 200;
export const MAX_TAGS_A_WRITE = 50;
