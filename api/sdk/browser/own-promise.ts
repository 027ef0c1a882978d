/** A promise as async functions make it, whatever the page has put in the place of `Promise` by now. */
export const Own = (async () => {})().constructor as PromiseConstructor;
