import { Type } from 'typebox';
import { httpUrl, nullable } from '../../../http/fields.ts';

/** What a notification shows beside its words, as it is given. */
export const picturesGiven = {
  image_url: Type.Optional(
    httpUrl(
      'PNG or JPG, at most 2 MB: a URL, which is fetched now, or in a form a file. It must be whole. The service serves it itself, without metadata such as where it was taken.',
    ),
  ),
  icon_url: Type.Optional(
    httpUrl(
      'Its own icon, such as its author’s face or its section’s mark: PNG or JPG, at most 2 MB and best square, a URL or a file as with `image_url`. The app’s when left out.',
    ),
  ),
};

/** As a delivery shows them. */
export const picturesAnswer = {
  image_url: nullable<string>({
    type: 'string',
    format: 'uri',
    description: 'Where the service itself serves the image.',
  }),
  icon_url: nullable<string>({
    type: 'string',
    format: 'uri',
    description: 'Where the service itself serves its own icon. Null: browsers show the app’s.',
  }),
};
