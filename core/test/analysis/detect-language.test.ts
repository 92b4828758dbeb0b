import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../src/analysis/detect-language.ts';

describe('detectLanguage', () => {
  it.each([
    ['en', 'Heading boundaries come first, and the rest of the section is split by paragraph.'],
    ['de', 'Der schnelle braune Fuchs springt über den faulen Hund und läuft dann weg.'],
    ['fr', 'Le chat est assis sur la table de la cuisine depuis ce matin, et il ne bouge pas.'],
    ['es', 'El perro corre por el parque mientras los niños juegan con la pelota.'],
    ['it', 'Il gatto dorme sul divano mentre piove fuori e non si sente nulla.'],
    ['pt', 'O menino foi à escola e depois não voltou para casa com os amigos.'],
    ['nl', 'De kat zit op de mat en kijkt naar buiten, maar het is niet mooi weer.'],
    ['sv', 'Katten sitter på mattan och tittar ut genom fönstret när det regnar.'],
    ['pl', 'Nie wiem, czy to jest możliwe, ale można to sprawdzić w pliku.'],
    ['cs', 'Soubor není možné otevřít, protože se při čtení vyskytla chyba.'],
    ['tr', 'Bu sabah okula gittim ve öğretmenimle uzun bir konuşma yaptım.'],
    ['vi', 'Tôi đi học vào buổi sáng và không có thời gian để ăn.'],
    ['ru', 'Быстрая коричневая лиса перепрыгивает через ленивую собаку, но не боится её.'],
    ['uk', 'Швидка руда лисиця стрибає через лінивого пса, але він цього не бачить.'],
    ['ko', '오늘은 날씨가 좋아서 산책을 했다. React 컴포넌트를 렌더링하는 방법을 배웠다.'],
    ['ja', '猫は窓の外を見ている。今日は雨が降っています。'],
    ['zh', '今天天气很好，我们去公园散步。'],
    ['el', 'Η γάτα κάθεται στο χαλί και κοιτάζει έξω από το παράθυρο.'],
    ['he', 'החתול יושב על השטיח ומסתכל החוצה מהחלון.'],
    ['ar', 'تجلس القطة على السجادة وتنظر من النافذة.'],
    ['th', 'แมวนั่งอยู่บนพรมและมองออกไปนอกหน้าต่าง'],
    ['hi', 'बिल्ली चटाई पर बैठी है और खिड़की से बाहर देख रही है।'],
  ])('detects %s', (lang, text) => {
    expect(detectLanguage(text)).toBe(lang);
    expect(detectLanguage(text.normalize('NFD'))).toBe(lang);
  });

  it.each([
    '',
    'README',
    'Kubernetes',
    'ok',
    '42',
    'a b c d e f g h',
    'rust borrow checker lifetime elision syntax',
    '- - -',
  ])('does not guess at %j', (text) => {
    expect(detectLanguage(text)).toBe('und');
  });

  it('detects the language of a short text if only one language uses its script', () => {
    expect(detectLanguage('한국')).toBe('ko');
    expect(detectLanguage('東京タワー')).toBe('ja');
    expect(detectLanguage('中国')).toBe('zh');
  });
});
