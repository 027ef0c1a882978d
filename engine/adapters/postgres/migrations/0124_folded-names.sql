-- Up Migration

-- What "in any case" means, the same on every Postgres: `lower`, ILIKE and what an index makes of them follow the locale
-- of the database, and that of the embedded one (C) knows the letters A to Z alone.
--
-- Both functions are made from one table of letters, as engine/contract/folded-text.ts has it: capitals and their small
-- letters, and letters that become others or several (ß is ss, ς is σ). A test compares them letter by letter.
DO $make$
DECLARE
  capitals constant text :=
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĴĶĹĻĽŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏ'
    'ƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏ'
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮ'
    'ѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸ'
    'ԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽ'
    'ᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺ'
    'ᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊ'
    'ỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾸᾹᾺῈῊῘῙῚῨῩῪῬῸῺℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉ'
    'ⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜ'
    'ⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢ'
    'ꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇'
    '𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑'
    '𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯'
    '𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡';
  smalls constant text :=
    'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝə'
    'ɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώ'
    'αβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯ'
    'ѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէը'
    'թժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍ'
    'ꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺ'
    'ჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕạảấầẩẫậắằẳẵặẹẻẽếềểễệỉị'
    'ọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾰᾱὰὲὴῐῑὶῠῡὺῥὸὼⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹ'
    'ⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝ'
    'ⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣ'
    'ꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯'
    '𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱'
    '𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊'
    '𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃';
  -- A letter, and what it becomes.
  others constant text :=
    'ßss İi ıi ͅι ςσ ᲀв ᲁд ᲂо ᲃс ᲄт ᲅт ᲆъ ᲇѣ ᲈꙋ ẞss ᾀἀι ᾁἁι ᾂἂι ᾃἃι ᾄἄι ᾅἅι ᾆἆι ᾇἇι ᾈἀι '
    'ᾉἁι ᾊἂι ᾋἃι ᾌἄι ᾍἅι ᾎἆι ᾏἇι ᾐἠι ᾑἡι ᾒἢι ᾓἣι ᾔἤι ᾕἥι ᾖἦι ᾗἧι ᾘἠι ᾙἡι ᾚἢι ᾛἣι ᾜἤι ᾝἥι ᾞἦι ᾟἧι ᾠὠι '
    'ᾡὡι ᾢὢι ᾣὣι ᾤὤι ᾥὥι ᾦὦι ᾧὧι ᾨὠι ᾩὡι ᾪὢι ᾫὣι ᾬὤι ᾭὥι ᾮὦι ᾯὧι ᾲὰι ᾳαι ᾴάι ᾷᾶι ᾼαι ῂὴι ῃηι ῄήι ῇῆι '
    'ῌηι ῲὼι ῳωι ῴώι ῷῶι ῼωι';
  pairs jsonb := (
    SELECT jsonb_object_agg(capital, small)
    FROM unnest(string_to_array(capitals, NULL), string_to_array(smalls, NULL)) AS letter (capital, small)
  );
  every jsonb := pairs || (
    SELECT jsonb_object_agg(left(other, 1), substr(other, 2)) FROM unnest(string_to_array(others, ' ')) AS other
  );
  head constant text := 'CREATE FUNCTION %I(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS %L';
  -- The table stands in the statement itself: as a variable it would be parsed at each call.
  body constant text := $body$
BEGIN
  IF octet_length(given) = length(given) THEN RETURN lower(given COLLATE "C"); END IF;
  RETURN (SELECT %s FROM array_to_string(ARRAY(
    SELECT coalesce(%L::jsonb ->> letter, letter) FROM unnest(string_to_array(%s, NULL)) AS letter), '') AS changed);
END $body$;
BEGIN
  EXECUTE format(head, 'folded', format(body,
    $$normalize(replace(changed, U&'i\0307', 'i'), NFKC)$$, every, $$lower(normalize(given, NFKC) COLLATE "C")$$));
  EXECUTE format(head, 'folded_address', format(body, 'changed', pairs, 'lower(given COLLATE "C")'));
END $make$;

-- Names that are one from now on stay as they are, each with a number of its own beside its name; `doctor` lists them. The
-- indexes on `lower` stay while processes of the release before name them; contract in a later release.
ALTER TABLE delivery_categories ADD COLUMN namesake integer NOT NULL DEFAULT 0;
UPDATE delivery_categories SET namesake = id WHERE deleted_at IS NULL AND EXISTS (
  SELECT FROM delivery_categories AS older WHERE older.app_id = delivery_categories.app_id AND older.deleted_at IS NULL
    AND folded(older.name) = folded(delivery_categories.name) AND older.id < delivery_categories.id);
CREATE UNIQUE INDEX delivery_categories_folded ON delivery_categories (app_id, folded(name), namesake)
  WHERE deleted_at IS NULL;

ALTER TABLE users ADD COLUMN namesake integer NOT NULL DEFAULT 0;
UPDATE users SET namesake = id WHERE EXISTS (
  SELECT FROM users AS older WHERE folded_address(older.email) = folded_address(users.email) AND older.id < users.id);
CREATE UNIQUE INDEX users_folded ON users (folded_address(email), namesake);

-- What readers are searched by. Rows of before are folded by the engines, from the end of each app; the new functions
-- write the others.
CREATE TABLE unfolded_facets (
  app_id integer PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
  -- Rows from this `seq` on are folded.
  below integer NOT NULL
);
INSERT INTO unfolded_facets (app_id, below) SELECT id, next_seq FROM apps WHERE next_seq > 0;

CREATE OR REPLACE FUNCTION subscription_words(user_identity text, external_ids jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT folded(concat_ws(E'\n', user_identity,
    (SELECT string_agg(value, E'\n' ORDER BY key) FROM jsonb_each_text(external_ids))))
$$;

CREATE OR REPLACE FUNCTION list_new_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
    SELECT app_id, seq, created_at, status, device_type, folded(browser_name), country,
      CASE WHEN external_ids = '{}' THEN folded(coalesce(user_identity, ''))
        ELSE subscription_words(user_identity, external_ids) END FROM added;
  INSERT INTO subscription_activity (app_id, seq, last_seen_at, last_clicked_at)
    SELECT app_id, seq, last_seen_at, last_clicked_at FROM added;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT app_id, key, value, created_at, seq FROM added, jsonb_each_text(tags) WHERE tags <> '{}';
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION list_changed_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
  VALUES (NEW.app_id, NEW.seq, NEW.created_at, NEW.status, NEW.device_type, folded(NEW.browser_name), NEW.country,
    subscription_words(NEW.user_identity, NEW.external_ids))
  ON CONFLICT (app_id, seq) DO UPDATE SET created_at = excluded.created_at, status = excluded.status,
    device_type = excluded.device_type, browser = excluded.browser, country = excluded.country, words = excluded.words;
  RETURN NULL;
END $$;

-- Down Migration
CREATE OR REPLACE FUNCTION subscription_words(user_identity text, external_ids jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(concat_ws(E'\n', user_identity,
    (SELECT string_agg(value, E'\n' ORDER BY key) FROM jsonb_each_text(external_ids))))
$$;
CREATE OR REPLACE FUNCTION list_new_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
    SELECT app_id, seq, created_at, status, device_type, lower(browser_name), country,
      CASE WHEN external_ids = '{}' THEN lower(coalesce(user_identity, ''))
        ELSE subscription_words(user_identity, external_ids) END FROM added;
  INSERT INTO subscription_activity (app_id, seq, last_seen_at, last_clicked_at)
    SELECT app_id, seq, last_seen_at, last_clicked_at FROM added;
  INSERT INTO subscription_tags (app_id, key, value, created_at, seq)
    SELECT app_id, key, value, created_at, seq FROM added, jsonb_each_text(tags) WHERE tags <> '{}';
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION list_changed_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subscription_facets (app_id, seq, created_at, status, device_type, browser, country, words)
  VALUES (NEW.app_id, NEW.seq, NEW.created_at, NEW.status, NEW.device_type, lower(NEW.browser_name), NEW.country,
    subscription_words(NEW.user_identity, NEW.external_ids))
  ON CONFLICT (app_id, seq) DO UPDATE SET created_at = excluded.created_at, status = excluded.status,
    device_type = excluded.device_type, browser = excluded.browser, country = excluded.country, words = excluded.words;
  RETURN NULL;
END $$;
DROP TABLE unfolded_facets;
DROP INDEX users_folded, delivery_categories_folded;
ALTER TABLE users DROP COLUMN namesake;
ALTER TABLE delivery_categories DROP COLUMN namesake;
DROP FUNCTION folded_address, folded;
