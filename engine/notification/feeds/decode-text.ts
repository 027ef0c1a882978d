/** How far an XML declaration may reach. */
const DECLARATION_BYTES = 400;

/**
 * Bytes of a feed as text. RFC 7303, section 3: a byte order mark counts first, then the charset of the header, then
 * the XML declaration. Without any of them, and for names that nobody knows, it is UTF-8.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label =
    byteOrder(bytes) ??
    contentType.match(/;\s*charset\s*=\s*"?([\w:.+-]+)/i)?.[1] ??
    declared(bytes) ??
    'utf-8';
  return decoderOf(label).decode(bytes);
}

/** By a mark, or by the zeros of a first `<` or `{` in UTF-16. */
function byteOrder([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (isOpening(first) && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && isOpening(second))) return 'utf-16be';
  return null;
}

const isOpening = (byte: number | undefined): boolean => byte === 0x3c || byte === 0x7b;

function declared(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const label = start.match(/^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w:.+-]+)["']/)?.[1] ?? null;
  // What could be read as single bytes is not UTF-16, whatever it says.
  return label !== null && /^(utf-?16|ucs-?2)/i.test(label) ? null : label;
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('utf-8');
  }
}
