import { plainSpelling } from './spelling.ts';

/** Alpha-2 and alpha-3 of ISO 3166-1, and of Kosovo, which has none there and is XK everywhere. */
const codes =
  'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD ' +
  'BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN ' +
  'CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU ' +
  'DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB ' +
  'GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG ' +
  'HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN ' +
  'KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU ' +
  'LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR ' +
  'MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL ' +
  'OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB ' +
  'RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP ' +
  'SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN ' +
  'TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ' +
  'ZAZAF ZMZMB ZWZWE';

const alpha2 = new Set(codes.split(' ').map((pair) => pair.slice(0, 2)));
export const isCountryCode = (text: string): boolean => alpha2.has(text);

/** Beside the names of `Intl.DisplayNames`: those of ISO 3166-1, older ones, and what networks write. */
const variants: Readonly<Record<string, string>> = {
  AE: 'UAE|Emirates|VAE|Emirate',
  AX: 'Aland Islands',
  BA: 'Bosnia|Bosnia Herzegovina|Bosnien-Herzegowina|Bosnien',
  BL: 'Saint Barthelemy',
  BN: 'Brunei Darussalam',
  BO: 'Bolivia, Plurinational State of|Plurinational State of Bolivia',
  BQ: 'Bonaire, Sint Eustatius and Saba|Bonaire',
  BS: 'The Bahamas',
  BW: 'Botswana|Botsuana',
  BY: 'Belarus|Weißrussland|Byelorussia|Belorussia',
  CC: 'Cocos Islands',
  CD: 'Congo, The Democratic Republic of the|DR Congo|DRC|Congo (DRC)|Congo, Dem. Rep.|Demokratische Republik Kongo|Kongo (Demokratische Republik)|Congo-Kinshasa|Zaire',
  CG: 'Congo|Republic of the Congo|Congo (Republic)|Congo, Rep.|Republik Kongo|Kongo (Republik)|Congo-Brazzaville',
  CI: "Cote D'Ivoire|Ivory Coast|Cote d'Ivoire (Ivory Coast)|Elfenbeinküste",
  CN: "People's Republic of China|Mainland China|Volksrepublik China|VR China|PRC",
  CV: 'Cabo Verde|Cape Verde|Kap Verde|Kapverden',
  CW: 'Curacao',
  CZ: 'Czechia|Czech Republic|Tschechien|Tschechische Republik',
  DE: 'Germany|Deutschland|Federal Republic of Germany|Bundesrepublik Deutschland|BRD',
  DO: 'Dominikanische Rep.|Dominican Rep.',
  FK: 'Falkland Islands (Malvinas)|Falkland Islands (Islas Malvinas)|Malvinas',
  FM: 'Micronesia, Federated States of|Federated States of Micronesia|Föderierte Staaten von Mikronesien',
  GB: 'UK|Great Britain|Großbritannien|United Kingdom of Great Britain and Northern Ireland|Vereinigtes Königreich Großbritannien und Nordirland|U.K.|Britain',
  GM: 'The Gambia',
  GS: 'South Georgia and the South Sandwich Islands|South Georgia',
  HK: 'Hong Kong|Hongkong|Hong Kong SAR',
  HM: 'Heard Island and McDonald Islands',
  IM: 'Isle of Man|Insel Man',
  IR: 'Iran, Islamic Republic of|Islamic Republic of Iran',
  KG: 'Kirgistan|Kirgisien|Kyrgyz Republic',
  KN: 'Saint Kitts and Nevis',
  KP: "Korea, Democratic People's Republic of|Democratic People's Republic of Korea|DPRK|Korea (North)|Korea, North|Demokratische Volksrepublik Korea",
  KR: 'South Korea|Korea, Republic of|Korea (South)|Korea, South|Republik Korea|Südkorea',
  LA: "Lao People's Democratic Republic|Lao PDR|Lao",
  LY: 'Libyan Arab Jamahiriya',
  MD: 'Moldova, Republic of|Moldawien|Moldau',
  MF: 'Saint Martin (French part)|Saint Martin',
  MK: 'Macedonia|Mazedonien|Macedonia, the former Yugoslav Republic of|Republic of North Macedonia|FYROM|Macedonia (FYROM)|Macedonia, FYRO',
  MM: 'Burma|Myanmar (Burma)|Birma',
  MO: 'Macao|Macau|Macao SAR',
  NL: 'Holland|The Netherlands|Nederland',
  PH: 'The Philippines',
  PN: 'Pitcairn',
  PS: 'Palestine|Palestine, State of|Palestinian Territory|Palestinian Territory, Occupied|Palästina',
  RE: 'Reunion',
  RU: 'Russian Federation|Russische Föderation|Rußland',
  SH: 'Saint Helena, Ascension and Tristan da Cunha|Saint Helena',
  SJ: 'Svalbard and Jan Mayen',
  SK: 'Slovak Republic|Slowakische Republik',
  ST: 'Sao Tome and Principe',
  SX: 'Sint Maarten (Dutch part)',
  SY: 'Syrian Arab Republic|Arabische Republik Syrien',
  SZ: 'Swaziland|Swasiland|Eswatini (Swaziland)',
  TF: 'French Southern Territories',
  TL: 'East Timor|Osttimor|Timor Leste',
  TR: 'Turkey|Türkiye|Turkiye|Türkei',
  TW: 'Taiwan, Province of China|Taiwan (Province of China)|Republic of China',
  TZ: 'Tanzania, United Republic of|United Republic of Tanzania',
  UM: 'United States Minor Outlying Islands',
  US: 'USA|U.S.A.|U.S.|United States of America|Vereinigte Staaten von Amerika|America',
  VA: 'Holy See|Holy See (Vatican City State)|Vatican|Vatican City State|Vatikan|Heiliger Stuhl',
  VC: 'Saint Vincent and the Grenadines',
  VE: 'Venezuela, Bolivarian Republic of|Bolivarian Republic of Venezuela',
  VG: 'Virgin Islands, British|British Virgin Islands',
  VI: 'Virgin Islands, U.S.|Virgin Islands (US)|United States Virgin Islands|US Virgin Islands',
  VN: 'Viet Nam|Vietnam',
  WF: 'Wallis and Futuna',
};

/** Short names of other languages are ambiguous: `RU` is the United Kingdom in French. */
const shown = (['en', 'de', 'fr', 'es', 'en short', 'de short'] as const).map((name) => {
  const [language = '', style] = name.split(' ');
  return { language, style: style === undefined ? ('long' as const) : ('short' as const) };
});

/** Of each country, by its upper-case alpha-2 code, all that is read as it. */
export function countrySpellings(): ReadonlyMap<string, readonly string[]> {
  const names = shown.map(
    ({ language, style }) => new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' }),
  );
  return new Map(
    codes.split(' ').map((pair) => {
      const code = pair.slice(0, 2);
      const own = names.flatMap((each) => each.of(code) ?? []);
      return [code, [code, pair.slice(2), ...own, ...(variants[code]?.split('|') ?? [])]];
    }),
  );
}

/** Plain spelling → code. @throws Error where two countries share one. */
export function countryTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [code, spellings] of countrySpellings())
    for (const spelling of spellings) {
      const plain = plainSpelling(spelling);
      const other = table.get(plain);
      if (other !== undefined && other !== code) throw new Error(`"${spelling}" is ${other} and ${code}`);
      table.set(plain, code);
    }
  return table;
}
