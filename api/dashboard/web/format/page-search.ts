/** The page of a list, in the address; left out for the first. */
export interface PageSearch {
  readonly page?: number;
}

export const pageSearch = ({ page }: Record<string, unknown>): PageSearch =>
  Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {};

export const toPage = (page: number): PageSearch => (page > 1 ? { page } : {});
