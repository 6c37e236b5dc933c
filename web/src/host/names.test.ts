import { expect, test } from 'vitest';
import { namesIn, passwordTable } from './names';

const names = (text: string) => namesIn(text).map((each) => `${each.line} ${each.name}`);

test('each line of a text is a name, and empty lines are skipped', () => {
  expect(names('Ada\n\n  Bob \r\nLovelace, Ada\n')).toEqual(['1 Ada', '3 Bob', '4 Lovelace, Ada']);
  expect(names(' \n\n')).toEqual([]);
});

test('a table has its names in the column of that name', () => {
  expect(names('Name,email\nAda,a@b\n"Lovelace, Ada",c\n"say ""hi""",d\n')).toEqual([
    '2 Ada',
    '3 Lovelace, Ada',
    '4 say "hi"',
  ]);
  expect(names('\uFEFFemail;name\nx;Ada\n\ny;Bob')).toEqual(['2 Ada', '4 Bob']);
  expect(names('name\nAda')).toEqual(['2 Ada']);
});

test('a line of a table without its name is not skipped, so that the server can refuse it', () => {
  expect(names('email,name\nx,\n,\ny')).toEqual(['2 ', '4 ']);
});

test('a table of passwords quotes what needs it and is no formula', () => {
  const accounts = [
    { name: 'Lovelace, "Ada"', password: 'abc' },
    { name: '=HYPERLINK(1)', password: 'd' },
  ];
  expect(passwordTable(accounts)).toBe(`name,password\n"Lovelace, ""Ada""",abc\n"'=HYPERLINK(1)",d\n`);
});
