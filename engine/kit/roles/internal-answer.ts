/** One answer of the internal listener. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly allow?: string;
}

export const json = (status: number, body: object): Answer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});
