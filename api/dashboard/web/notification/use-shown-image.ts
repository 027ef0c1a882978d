import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { wrongFile } from './rules.ts';
import { addressOf, type Content } from './values.ts';

const TYPED_MS = 800;

/** `hidden`: there is an image that this page may not show. */
export interface ShownImage {
  readonly src: string | null;
  readonly hidden: boolean;
}

/** The image as the preview may show it: from https, from here, or out of the chosen file. */
export function useShownImage({ image, image_url, image_file }: Content): ShownImage {
  const file = useFileAddress(image === 'file' ? image_file : null);
  // An unfinished URL is not requested: its host may be a stranger's.
  const [address] = useDebouncedValue(image_url, TYPED_MS);
  if (image !== 'url') return { src: file, hidden: false };
  const url = address === image_url ? URL.parse(addressOf(address)) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return { src: null, hidden: false };
  const shown = url.protocol === 'https:' || url.origin === location.origin;
  return { src: shown ? url.href : null, hidden: !shown };
}

function useFileAddress(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (file === null || wrongFile(file) !== null) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return address;
}
