import { join, resolve } from 'node:path';

/** A file of the installed library, by its contents: so a damaged or another one is never loaded. */
export interface Kept {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A package of the Python package index that brings files of the library, by its contents too. */
export interface Wheel {
  readonly package: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly licence: string;
  /** Its text, which is kept beside the files. */
  readonly licenceText: Kept;
  readonly files: readonly Kept[];
}

/** Of each package. */
export const VERSION = '2026.2.0';

/** Intel's libcrypto_mb, and the runtime of Intel's compiler, which it needs. */
export const wheels: readonly Wheel[] = [
  {
    package: 'ipp-crypto',
    bytes: 17_813_516,
    sha256: '3a5c87403b085c09329ee40ceac07fb2a51d448bf19fd1ef2b289bc583276189',
    licence: 'Apache License 2.0',
    licenceText: {
      name: 'LICENSE-ipp-crypto.txt',
      bytes: 10_797,
      sha256: 'ee689c6d4a73417a61abd7bfda82fb3e965cbe85f33ee407203117c8a5c2f35b',
    },
    files: [
      {
        name: 'libcrypto_mb.so.13',
        bytes: 2_270_680,
        sha256: '75adfaef19bd54503b1403b34b00a885fb3690235839559ca8119cc608745d0c',
      },
    ],
  },
  {
    package: 'intel-cmplr-lib-rt',
    bytes: 41_454_395,
    sha256: '9f713083073a820d2496a6da8e8d4f3482aba6640f74521d25ea48dcebe72748',
    licence: 'Intel End User License Agreement for Developer Tools',
    licenceText: {
      name: 'LICENSE-intel-cmplr-lib-rt.txt',
      bytes: 25_224,
      sha256: 'febfb69a5b058f55892dc7f341108a9ca29d50e9fe85723a57eebbb826436958',
    },
    files: [
      {
        name: 'libintlc.so.5',
        bytes: 416_016,
        sha256: 'f16c5e1cad3b3363903afca39def3bfa42dd4f41e8c892fea019103767f1a089',
      },
      {
        name: 'libimf.so',
        bytes: 5_084_320,
        sha256: '352cc8d53ceca3a9d50a14479297aff23af0f3d773f073dfe6597e66de8f0b9b',
      },
      {
        name: 'libirng.so',
        bytes: 1_072_848,
        sha256: '8e014b69e3c1ea2235c1f98bd70eb1083d35bd39a793f521230c96e865b38db6',
      },
      {
        name: 'libsvml.so',
        bytes: 28_865_896,
        sha256: 'b2cf661fb044dc02d5901113841a294c3a95ce62a38270a396ed8b52680f9ba8',
      },
    ],
  },
];

/** Of the data folder, beside the databases: it holds nothing that a backup would have to keep. */
export const LIBRARIES_FOLDER = 'crypto-mb';
export const librariesFolder = (dataFolder: string): string => join(resolve(dataFolder), LIBRARIES_FOLDER);

/** Named for the version: another release of Broadside never meets the files of this one half replaced. */
export const libraryFolder = (dataFolder: string): string => join(librariesFolder(dataFolder), VERSION);
export const libraryPath = (dataFolder: string): string =>
  join(libraryFolder(dataFolder), 'libcrypto_mb.so.13');
