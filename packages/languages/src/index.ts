export { goPack } from './go/index.ts'
export { javascriptPack } from './javascript/index.ts'
export { languagePacks, packFor } from './packs.ts'
export { pythonPack } from './python/index.ts'
