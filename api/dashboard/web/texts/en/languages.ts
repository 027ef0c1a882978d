/** One notification in several languages, and readers' tags in it. */
export const languages = {
  languages: {
    languages: 'Languages',
    about:
      'Readers get it in the language of their browser, if you write it here. All others get the text above.',
    main: 'Language of the text above',
    mainAbout: 'Screen readers pronounce it accordingly.',
    add: 'Add a language',
    none: 'No such language',
    remove: (name: string): string => `Remove ${name}`,
    titleIn: (name: string): string => `Title, ${name}`,
    bodyIn: (name: string): string => `Text, ${name}`,
    urlIn: (name: string): string => `Link, ${name}`,
    urlAbout: 'Empty: the link above.',
    buttonIn: (number: number, name: string): string => `Button ${number}, ${name}`,
    preview: 'Preview in',
    mainText: 'Main text',
    texts: 'Texts',
    textsAbout: 'Each reader gets the one in the language of their browser.',
    everyoneElse: 'Everyone else',
    everyoneElseIn: (name: string): string => `${name}, and everyone else`,
    personal: 'It names tags of the reader, so every message has words of its own.',
    insert: 'Insert into the text',
    tag: {
      insert: 'Reader’s tag',
      about: 'Each reader sees the value of their own tag.',
      key: 'Tag',
      otherwise: 'For readers without it',
      otherwiseExample: 'reader',
      act: 'Insert',
    },
  },
} as const;
