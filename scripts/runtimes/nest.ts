/** The files that `nest new` generates, with a service that calls the client. */
export const nestFiles: Record<string, string> = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      resolvePackageJsonExports: true,
      esModuleInterop: true,
      isolatedModules: true,
      declaration: true,
      removeComments: true,
      emitDecoratorMetadata: true,
      experimentalDecorators: true,
      allowSyntheticDefaultImports: true,
      target: 'ES2023',
      sourceMap: true,
      outDir: './dist',
      baseUrl: './',
      incremental: true,
      skipLibCheck: true,
      strictNullChecks: true,
      forceConsistentCasingInFileNames: true,
      noImplicitAny: true,
    },
  }),
  'src/app.service.ts': `import { Injectable } from '@nestjs/common'
import { ServiceClient } from 'health-lab-sdk'

@Injectable()
export class AppService {
  constructor(private readonly client: ServiceClient) {}

  async countProviders(): Promise<number> {
    return (await this.client.link.listProviders()).length
  }
}
`,
  'src/app.controller.ts': `import { Controller, Get } from '@nestjs/common'
import { AppService } from './app.service'

@Controller()
export class AppController {
  constructor(private readonly appService: AppService) {}

  @Get()
  countProviders(): Promise<number> {
    return this.appService.countProviders()
  }
}
`,
  'src/app.controller.spec.ts': `import { Test } from '@nestjs/testing'
import { ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { AppController } from './app.controller'
import { AppService } from './app.service'

test('counts the providers', async () => {
  const client = new ServiceClient(createMock().connection())
  const app = await Test.createTestingModule({
    controllers: [AppController],
    providers: [AppService, { provide: ServiceClient, useValue: client }],
  }).compile()
  expect(await app.get(AppController).countProviders()).toBeGreaterThan(0)
}, 60_000)
`,
}
