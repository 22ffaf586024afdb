package dev.weighlock.bench.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.weighlock.bench.postgres.Contender;
import dev.weighlock.bench.postgres.Item;
import dev.weighlock.bench.postgres.Place;
import dev.weighlock.bench.postgres.Sales;
import dev.weighlock.jobs.csv.CsvRow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.partition.support.TaskExecutorPartitionHandler;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.JdbcJobRepositoryFactoryBean;
import org.springframework.batch.core.scope.context.ChunkContext;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.StepContribution;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.core.step.tasklet.Tasklet;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemStreamReader;
import org.springframework.batch.infrastructure.item.database.ItemPreparedStatementSetter;
import org.springframework.batch.infrastructure.item.database.JdbcBatchItemWriter;
import org.springframework.batch.infrastructure.item.database.builder.JdbcBatchItemWriterBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Spring Batch with its JDBC repository, its own JDBC batch writer, and everything else as it comes. */
public final class SpringBatch implements Contender {
    private final HikariDataSource pool;
    private final JdbcTemplate template;
    private final JdbcTransactionManager transactions;
    private final JobRepository repository;
    private final TaskExecutorJobOperator operator = new TaskExecutorJobOperator();

    public SpringBatch(Place place) throws Exception {
        pool = place.pooled();
        template = new JdbcTemplate(pool);
        transactions = new JdbcTransactionManager(pool);
        if (!Boolean.TRUE.equals(
                template.queryForObject("SELECT to_regclass('batch_job_instance') IS NOT NULL", Boolean.class))) {
            new ResourceDatabasePopulator(new ClassPathResource("org/springframework/batch/core/schema-postgresql.sql"))
                    .execute(pool);
        }
        var factory = new JdbcJobRepositoryFactoryBean();
        factory.setDataSource(pool);
        factory.setTransactionManager(transactions);
        factory.afterPropertiesSet();
        repository = factory.getObject();
        operator.setJobRepository(repository);
        operator.setJobRegistry(new MapJobRegistry());
        operator.afterPropertiesSet();
    }

    @Override
    public double[] jobs(int count) throws Exception {
        Job job = job("noop", tasklet("nothing", (contribution, context) -> RepeatStatus.FINISHED));
        double[] seconds = new double[count];
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            run(job);
            seconds[i] = (System.nanoTime() - begun) / 1e9;
        }
        return seconds;
    }

    private Job job(String name, Step step) {
        return new JobBuilder(name, repository).start(step).build();
    }

    private Step tasklet(String name, Tasklet body) {
        return new StepBuilder(name, repository).tasklet(body, transactions).build();
    }

    private void run(Job job) throws Exception {
        run(job, newInstance(), BatchStatus.COMPLETED);
    }

    private static JobParameters newInstance() {
        return new JobParametersBuilder()
                .addLong("n", INSTANCES.incrementAndGet())
                .toJobParameters();
    }

    private void run(Job job, JobParameters parameters, BatchStatus expected) throws Exception {
        var execution = operator.start(job, parameters);
        if (execution.getStatus() != expected) {
            throw new IllegalStateException("the job did not end as it should: " + execution.getAllFailureExceptions());
        }
    }

    @Override
    public void items(long count, int chunk, boolean copying) throws Exception {
        if (copying) {
            throw new UnsupportedOperationException("Spring Batch has no writer for COPY");
        }
        ItemPreparedStatementSetter<Item> values = (item, statement) -> {
            statement.setLong(1, item.id());
            statement.setString(2, item.name());
        };
        run(job("items", chunks(chunk, new Numbered(count), writer(Item.INSERT, values))));
    }

    @Override
    public void records(Path csv, int chunk) throws Exception {
        ItemPreparedStatementSetter<CsvRow> values = (row, statement) -> {
            for (int i = 0; i < row.values().size(); i++) {
                statement.setObject(i + 1, row.values().get(i));
            }
        };
        run(job("records", chunks(chunk, new Records(csv), writer(Sales.INSERT, values))));
    }

    private <T> JdbcBatchItemWriter<T> writer(String sql, ItemPreparedStatementSetter<T> values) {
        var writer = new JdbcBatchItemWriterBuilder<T>()
                .dataSource(pool)
                .sql(sql)
                .itemPreparedStatementSetter(values)
                .build();
        writer.afterPropertiesSet();
        return writer;
    }

    private <T> Step chunks(int size, ItemStreamReader<T> reader, JdbcBatchItemWriter<T> writer) {
        return new StepBuilder("copy", repository)
                .<T, T>chunk(size)
                .transactionManager(transactions)
                .reader(reader)
                .writer(writer)
                .build();
    }

    @Override
    public void partitions(int count, int workers, boolean writing) throws Exception {
        Tasklet body = writing ? this::write : (contribution, context) -> RepeatStatus.FINISHED;
        partitioned(count, workers, body, this::run);
    }

    /** A tasklet that is called again and again, as long as it returns CONTINUABLE and no stop is seen between two calls. */
    public void slicedPartitions(int count, int workers, Tasklet slice) throws Exception {
        partitioned(count, workers, slice, job -> operator.start(job, newInstance()));
    }

    /** As an operator of another process, who has none of the jobs. */
    public void stop(long execution) throws Exception {
        operator.stop(Objects.requireNonNull(repository.getJobExecution(execution)));
    }

    @Override
    public double[] leftOver(int count) throws Exception {
        AtomicInteger failing = new AtomicInteger(LEFT);
        AtomicLong firstAt = new AtomicLong();
        Tasklet body = (contribution, context) -> {
            if (failing.getAndDecrement() > 0) {
                throw new IllegalStateException("left for the restart");
            }
            firstAt.compareAndSet(0, System.nanoTime());
            return RepeatStatus.FINISHED;
        };
        double[] seconds = new double[2];
        partitioned(count, 8, body, job -> {
            JobParameters parameters = newInstance();
            run(job, parameters, BatchStatus.FAILED);
            firstAt.set(0);
            long begun = System.nanoTime();
            run(job, parameters, BatchStatus.COMPLETED);
            seconds[0] = (firstAt.get() - begun) / 1e9;
            seconds[1] = (System.nanoTime() - begun) / 1e9;
        });
        return seconds;
    }

    /** What is done with a job. */
    @FunctionalInterface
    private interface Use {
        void of(Job job) throws Exception;
    }

    private void partitioned(int count, int workers, Tasklet body, Use use) throws Exception {
        var threads = new ThreadPoolTaskExecutor();
        threads.setCorePoolSize(workers);
        threads.setMaxPoolSize(workers);
        threads.afterPropertiesSet();
        try {
            var handler = new TaskExecutorPartitionHandler();
            handler.setTaskExecutor(threads);
            handler.setStep(tasklet("worker", body));
            handler.setGridSize(count);
            handler.afterPropertiesSet();
            Step step = new StepBuilder("partitions", repository)
                    .partitioner("worker", SpringBatch::plan)
                    .partitionHandler(handler)
                    .gridSize(count)
                    .build();
            use.of(job("partitions", step));
        } finally {
            threads.shutdown();
        }
    }

    private RepeatStatus write(StepContribution contribution, ChunkContext context) {
        template.update("INSERT INTO public.business (text) VALUES ('written')");
        return RepeatStatus.FINISHED;
    }

    private static Map<String, ExecutionContext> plan(int count) {
        Map<String, ExecutionContext> plan = new HashMap<>();
        for (int i = 0; i < count; i++) {
            plan.put("key-" + i, new ExecutionContext());
        }
        return plan;
    }

    @Override
    public void close() {
        pool.close();
    }
}
