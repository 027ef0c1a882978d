/** Fields of a delivery that may come as files of a form. */
export const fileFields = ['image_url', 'icon_url'] as const;
export type FileField = (typeof fileFields)[number];

/** What came as files. */
export type Uploads = { readonly [field in FileField]?: Buffer };
