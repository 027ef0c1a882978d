import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { wrongFile } from './rules.ts';
import { addressOf, type Content, type PictureName } from './values.ts';

const TYPED_MS = 800;

/** `hidden`: there is a picture that this page may not show. */
export interface ShownImage {
  readonly src: string | null;
  readonly hidden: boolean;
}

/** The image or the icon as the preview may show it: from https, from here, or out of the chosen file. */
export function useShownImage(content: Content, name: PictureName): ShownImage {
  const { [name]: kind, [`${name}_url` as const]: given, [`${name}_file` as const]: chosen } = content;
  const file = useFileAddress(kind === 'file' ? chosen : null);
  // An unfinished URL is not requested: its host may be a stranger's.
  const [address] = useDebouncedValue(given, TYPED_MS);
  if (kind !== 'url') return { src: file, hidden: false };
  const url = address === given ? URL.parse(addressOf(address)) : null;
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
