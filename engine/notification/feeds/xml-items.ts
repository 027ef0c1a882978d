import { Parser } from 'htmlparser2';
import { MAX_ITEMS } from './feed.ts';
import { textAmong } from './html-text.ts';

/** An element of an item. Names are in lower case, their prefixes the customary ones of their namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** That of its children too, in the document's order. */
  text: string;
}

export interface XmlFeed {
  /** `rss`, `rdf` or `feed`; another for what is not a feed, null without any element. */
  readonly root: string | null;
  readonly base: string | null;
  /** The feed's own fields. */
  readonly channel: readonly XmlElement[];
  readonly items: readonly XmlElement[];
  readonly fault: 'too-deep' | 'too-many-attributes' | 'broken-off' | null;
}

/** The parser's cost grows with the square of the depth. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 200;
/** Of one item; further ones are left out. */
const MAX_ELEMENTS = 1_000;
const MAX_TEXT_LENGTH = 65_536;
const MAX_CHANNEL_FIELDS = 100;
const MAX_PREFIXES = 100;
/** A pause is seen between two writes. */
const WRITE_LENGTH = 65_536;

/** What a prefix is customarily, by the namespace that a feed declares for it. */
const customary: Readonly<Record<string, string>> = {
  'http://www.w3.org/2005/atom': 'atom:',
  'http://purl.org/rss/1.0/': '',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf:',
  'http://purl.org/rss/1.0/modules/content/': 'content:',
  'http://search.yahoo.com/mrss/': 'media:',
  'http://search.yahoo.com/mrss': 'media:',
  'http://purl.org/dc/elements/1.1/': 'dc:',
  'http://schemas.google.com/g/2005': 'gd:',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes:',
  'http://webfeeds.org/rss/1.0': 'webfeeds:',
  'http://www.w3.org/1999/xhtml': '',
};

/**
 * Reads the items of an XML feed, in time that grows with its length alone: it stops after the last item that counts,
 * and at what no feed has. Entities that a document declares itself stay as they are written, so none can grow.
 */
export function readXmlItems(xml: string): XmlFeed {
  const reader = new XmlReader();
  return reader.read(xml);
}

class XmlReader {
  private root: string | null = null;
  private base: string | null = null;
  private readonly channel: XmlElement[] = [];
  private readonly items: XmlElement[] = [];
  private fault: XmlFeed['fault'] = null;
  private readonly prefixes = new Map<string, string>();
  /** The names that are open outside of items, and the elements that are open inside of one. */
  private readonly outer: string[] = [];
  private readonly open: XmlElement[] = [];
  /** The feed's own field whose text comes. */
  private field: XmlElement | null = null;
  private elements = 0;
  private attributes = 0;
  private stopped = false;
  private readonly parser = new Parser(
    {
      onopentagname: () => {
        this.attributes = 0;
      },
      onattribute: () => {
        if (++this.attributes > MAX_ATTRIBUTES) this.stop('too-many-attributes');
      },
      onopentag: (name, attributes) => this.begin(name, attributes),
      ontext: (text) => this.add(text),
      onclosetag: (_, isImplied) => this.end(isImplied),
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );

  read(xml: string): XmlFeed {
    for (let at = 0; at < xml.length && !this.stopped; at += WRITE_LENGTH)
      this.parser.write(xml.slice(at, at + WRITE_LENGTH));
    if (!this.stopped) this.parser.end();
    const { root, base, channel, items, fault } = this;
    return { root, base, channel, items, fault };
  }

  private stop(fault: XmlFeed['fault'] = null): void {
    this.fault ??= fault;
    this.stopped = true;
    this.parser.pause();
  }

  private begin(written: string, attributes: Record<string, string>): void {
    const isTooDeep = this.outer.length + this.open.length >= MAX_DEPTH;
    if (isTooDeep) this.stop('too-deep');
    if (this.stopped) return;
    this.learnPrefixes(attributes);
    const name = this.nameOf(written);
    const parent = this.open.at(-1);
    const element = { name, attributes, children: [], text: '' };
    if (parent !== undefined) {
      if (++this.elements <= MAX_ELEMENTS) parent.children.push(element);
      this.open.push(element);
    } else if (this.outer.length > 0 && (name === 'item' || name === 'entry')) {
      this.elements = 0;
      this.open.push(element);
    } else this.beginOutside(element);
  }

  private beginOutside(element: XmlElement): void {
    if (this.root === null) {
      this.root = element.name.replace(/^rdf:/, '');
      this.base = element.attributes['xml:base'] ?? null;
    }
    const parent = this.outer.at(-1);
    const isField = (parent === 'channel' || parent === 'feed') && this.channel.length < MAX_CHANNEL_FIELDS;
    if (isField) this.channel.push(element);
    this.outer.push(element.name);
    this.field = isField ? element : null;
  }

  private add(text: string): void {
    const element = this.open.at(-1) ?? this.field;
    if (this.stopped || element === null) return;
    if (element.text.length < MAX_TEXT_LENGTH) element.text += text;
  }

  private end(isImplied: boolean): void {
    if (this.stopped) return;
    this.field = null;
    const element = this.open.pop();
    if (element === undefined) {
      this.outer.pop();
      if (isImplied && this.outer.length === 0) this.fault ??= 'broken-off';
      return;
    }
    if (this.open.length > 0) this.add(textAmong(element.name, element.text));
    // Half an item would be sent as if it were whole.
    else if (!isImplied && this.items.push(element) >= MAX_ITEMS) this.stop();
  }

  private learnPrefixes(attributes: Readonly<Record<string, string>>): void {
    for (const [name, uri] of Object.entries(attributes)) {
      if (!/^xmlns(:|$)/.test(name) || this.prefixes.size >= MAX_PREFIXES) continue;
      const known = customary[uri.trim().toLowerCase()];
      if (known !== undefined) this.prefixes.set(name === 'xmlns' ? '' : `${name.slice(6)}:`, known);
    }
  }

  private nameOf(written: string): string {
    const prefix = written.slice(0, written.indexOf(':') + 1);
    const local = written.slice(prefix.length);
    // The names of Atom are its own in an Atom feed, whatever it calls them; elsewhere they carry its prefix.
    const resolved = prefix === '' ? '' : (this.prefixes.get(prefix) ?? prefix);
    const isAtom = resolved === 'atom:' && (this.root === null || this.root === 'feed');
    return isAtom ? local : resolved + local;
  }
}
