/** For what is tried again later: its failure is not one of the page. */
export async function warned<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    console.warn('Broadside:', error);
    return;
  }
}
