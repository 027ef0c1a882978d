/** Made at its first use: a formatter of times takes a slow phone up to 30 ms, and a page knows a dozen. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
