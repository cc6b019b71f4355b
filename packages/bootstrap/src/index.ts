export { chooseLanguages } from './choose-language.ts'
export { environmentKey } from './environment-key.ts'
export { createRecipeBuilder, INFERENCE_VERSION } from './recipe-builder.ts'
