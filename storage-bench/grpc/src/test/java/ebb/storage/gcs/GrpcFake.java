package ebb.storage.gcs;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.storage.v2.Bucket;
import com.google.storage.v2.ChecksummedData;
import com.google.storage.v2.CreateBucketRequest;
import com.google.storage.v2.DeleteBucketRequest;
import com.google.storage.v2.DeleteObjectRequest;
import com.google.storage.v2.GetBucketRequest;
import com.google.storage.v2.GetObjectRequest;
import com.google.storage.v2.ListBucketsRequest;
import com.google.storage.v2.ListBucketsResponse;
import com.google.storage.v2.ListObjectsRequest;
import com.google.storage.v2.ListObjectsResponse;
import com.google.storage.v2.Object;
import com.google.storage.v2.ObjectChecksums;
import com.google.storage.v2.QueryWriteStatusRequest;
import com.google.storage.v2.QueryWriteStatusResponse;
import com.google.storage.v2.ReadObjectRequest;
import com.google.storage.v2.ReadObjectResponse;
import com.google.storage.v2.StartResumableWriteRequest;
import com.google.storage.v2.StartResumableWriteResponse;
import com.google.storage.v2.StorageGrpc;
import com.google.storage.v2.WriteObjectRequest;
import com.google.storage.v2.WriteObjectResponse;
import com.google.storage.v2.WriteObjectSpec;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * Cloud Storage's gRPC interface in memory, on Google's own stubs: the requests that the plain
 * client makes, with generations, preconditions, resumable uploads and checksums both ways.
 * Listings come in pages of two.
 */
final class GrpcFake extends StorageGrpc.StorageImplBase {
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PAGE = 2;
  private static final String NAMES = "projects/_/buckets/";

  private final Map<String, Bucket> buckets = new TreeMap<>();
  private final Map<String, Stored> objects = new TreeMap<>();
  private final Map<String, Upload> uploads = new HashMap<>();
  private long generations;

  private record Stored(Object about, ByteString content) {}

  private static final class Upload {
    private final WriteObjectSpec spec;
    private ByteString content = ByteString.EMPTY;
    private Object done;

    Upload(WriteObjectSpec spec) {
      this.spec = spec;
    }
  }

  synchronized int bucketCount() {
    return buckets.size();
  }

  private synchronized <T> void answer(StreamObserver<T> to, Supplier<T> how) {
    T answer;
    try {
      answer = how.get();
    } catch (StatusRuntimeException refused) {
      to.onError(refused);
      return;
    }
    to.onNext(answer);
    to.onCompleted();
  }

  private static StatusRuntimeException refused(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
  }

  private static int crc32c(ByteString bytes) {
    CRC32C crc = new CRC32C();
    bytes.asReadOnlyByteBufferList().forEach(crc::update);
    return (int) crc.getValue();
  }

  private static String key(String bucket, String object) {
    return bucket + "\n" + object;
  }

  private Bucket bucket(String name) {
    Bucket found = buckets.get(name);
    if (found == null) {
      throw refused(Status.NOT_FOUND, "The specified bucket does not exist.");
    }
    return found;
  }

  private Stored object(String bucket, String name) {
    bucket(bucket);
    Stored found = objects.get(key(bucket, name));
    if (found == null) {
      throw refused(Status.NOT_FOUND, "No such object: " + bucket + "/" + name);
    }
    return found;
  }

  @Override
  public void createBucket(CreateBucketRequest request, StreamObserver<Bucket> to) {
    answer(
        to,
        () -> {
          String name = NAMES + request.getBucketId();
          // The service answers by numbers of projects, and the library reads nothing else.
          Bucket made =
              request.getBucket().toBuilder().setName(name).setProject("projects/1").build();
          if (buckets.putIfAbsent(name, made) != null) {
            throw refused(Status.ALREADY_EXISTS, "Your previous request to create it succeeded.");
          }
          return made;
        });
  }

  @Override
  public void getBucket(GetBucketRequest request, StreamObserver<Bucket> to) {
    answer(to, () -> bucket(request.getName()));
  }

  @Override
  public void deleteBucket(DeleteBucketRequest request, StreamObserver<Empty> to) {
    answer(
        to,
        () -> {
          bucket(request.getName());
          if (objects.keySet().stream()
              .anyMatch(key -> key.startsWith(key(request.getName(), "")))) {
            throw refused(
                Status.FAILED_PRECONDITION, "The bucket you tried to delete is not empty.");
          }
          buckets.remove(request.getName());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void listBuckets(ListBucketsRequest request, StreamObserver<ListBucketsResponse> to) {
    answer(
        to,
        () -> {
          ListBucketsResponse.Builder page = ListBucketsResponse.newBuilder();
          for (Bucket bucket : buckets.values()) {
            String name = bucket.getName();
            if (name.startsWith(NAMES + request.getPrefix())
                && name.compareTo(request.getPageToken()) > 0) {
              if (page.getBucketsCount() == PAGE) {
                return page.setNextPageToken(page.getBuckets(PAGE - 1).getName()).build();
              }
              page.addBuckets(bucket);
            }
          }
          return page.build();
        });
  }

  @Override
  public void getObject(GetObjectRequest request, StreamObserver<Object> to) {
    answer(to, () -> object(request.getBucket(), request.getObject()).about);
  }

  @Override
  public void deleteObject(DeleteObjectRequest request, StreamObserver<Empty> to) {
    answer(
        to,
        () -> {
          object(request.getBucket(), request.getObject());
          objects.remove(key(request.getBucket(), request.getObject()));
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void listObjects(ListObjectsRequest request, StreamObserver<ListObjectsResponse> to) {
    answer(
        to,
        () -> {
          bucket(request.getParent());
          ListObjectsResponse.Builder page = ListObjectsResponse.newBuilder();
          for (Stored one : objects.values()) {
            String name = one.about.getName();
            if (one.about.getBucket().equals(request.getParent())
                && name.startsWith(request.getPrefix())
                && name.compareTo(request.getPageToken()) > 0) {
              if (page.getObjectsCount() == PAGE) {
                return page.setNextPageToken(page.getObjects(PAGE - 1).getName()).build();
              }
              page.addObjects(one.about);
            }
          }
          return page.build();
        });
  }

  @Override
  public void readObject(ReadObjectRequest request, StreamObserver<ReadObjectResponse> to) {
    ByteString wanted;
    Object about;
    synchronized (this) {
      try {
        Stored found = object(request.getBucket(), request.getObject());
        about = found.about;
        if (request.getGeneration() != 0 && request.getGeneration() != about.getGeneration()) {
          throw refused(Status.NOT_FOUND, "No such generation");
        }
        long begin = request.getReadOffset();
        if (begin > about.getSize()) {
          throw refused(Status.OUT_OF_RANGE, "beyond the end");
        }
        long limit = request.getReadLimit();
        long end = limit == 0 ? about.getSize() : Math.min(about.getSize(), begin + limit);
        wanted = found.content.substring((int) begin, (int) end);
      } catch (StatusRuntimeException refused) {
        to.onError(refused);
        return;
      }
    }
    int at = 0;
    do {
      ByteString piece = wanted.substring(at, Math.min(wanted.size(), at + PIECE_BYTES));
      ReadObjectResponse.Builder answer = ReadObjectResponse.newBuilder();
      if (at == 0) {
        answer.setMetadata(about).setObjectChecksums(about.getChecksums());
      }
      answer.setChecksummedData(
          ChecksummedData.newBuilder().setContent(piece).setCrc32C(crc32c(piece)));
      to.onNext(answer.build());
      at += piece.size();
    } while (at < wanted.size());
    to.onCompleted();
  }

  @Override
  public void startResumableWrite(
      StartResumableWriteRequest request, StreamObserver<StartResumableWriteResponse> to) {
    answer(
        to,
        () -> {
          WriteObjectSpec spec = request.getWriteObjectSpec();
          bucket(spec.getResource().getBucket());
          String id = "upload-" + ++generations;
          uploads.put(id, new Upload(spec));
          return StartResumableWriteResponse.newBuilder().setUploadId(id).build();
        });
  }

  @Override
  public void queryWriteStatus(
      QueryWriteStatusRequest request, StreamObserver<QueryWriteStatusResponse> to) {
    answer(
        to,
        () -> {
          Upload upload = upload(request.getUploadId());
          QueryWriteStatusResponse.Builder answer = QueryWriteStatusResponse.newBuilder();
          return upload.done == null
              ? answer.setPersistedSize(upload.content.size()).build()
              : answer.setResource(upload.done).build();
        });
  }

  private Upload upload(String id) {
    Upload found = uploads.get(id);
    if (found == null) {
      throw refused(Status.NOT_FOUND, "no upload " + id);
    }
    return found;
  }

  @Override
  public StreamObserver<WriteObjectRequest> writeObject(StreamObserver<WriteObjectResponse> to) {
    return new StreamObserver<>() {
      private Upload upload;
      private StatusRuntimeException wrong;

      @Override
      public void onNext(WriteObjectRequest request) {
        if (wrong == null) {
          try {
            written(request);
          } catch (StatusRuntimeException e) {
            wrong = e;
            to.onError(e);
          }
        }
      }

      private void written(WriteObjectRequest request) {
        synchronized (GrpcFake.this) {
          if (upload == null) {
            upload =
                request.hasUploadId()
                    ? upload(request.getUploadId())
                    : new Upload(request.getWriteObjectSpec());
            bucket(upload.spec.getResource().getBucket());
          }
          if (request.getWriteOffset() != upload.content.size()) {
            throw refused(Status.OUT_OF_RANGE, "there are " + upload.content.size() + " bytes");
          }
          ChecksummedData data = request.getChecksummedData();
          if (data.hasCrc32C() && data.getCrc32C() != crc32c(data.getContent())) {
            throw refused(Status.INVALID_ARGUMENT, "CRC32C of a message");
          }
          upload.content = upload.content.concat(data.getContent());
          if (request.getFinishWrite()) {
            finish(upload, request.getObjectChecksums());
          }
        }
      }

      @Override
      public void onError(Throwable gone) {}

      @Override
      public void onCompleted() {
        if (wrong == null) {
          answer(
              to,
              () -> {
                WriteObjectResponse.Builder answer = WriteObjectResponse.newBuilder();
                return upload.done == null
                    ? answer.setPersistedSize(upload.content.size()).build()
                    : answer.setResource(upload.done).build();
              });
        }
      }
    };
  }

  private void finish(Upload upload, ObjectChecksums told) {
    Object resource = upload.spec.getResource();
    String key = key(resource.getBucket(), resource.getName());
    int crc32c = crc32c(upload.content);
    if (upload.spec.hasIfGenerationMatch()) {
      Stored there = objects.get(key);
      long generation = there == null ? 0 : there.about.getGeneration();
      if (generation != upload.spec.getIfGenerationMatch()) {
        throw refused(
            Status.FAILED_PRECONDITION, "At least one of the pre-conditions did not hold.");
      }
    }
    for (ObjectChecksums sums : new ObjectChecksums[] {told, resource.getChecksums()}) {
      if (sums.hasCrc32C() && sums.getCrc32C() != crc32c) {
        throw refused(Status.INVALID_ARGUMENT, "Provided CRC32C does not match");
      }
    }
    upload.done =
        resource.toBuilder()
            .setSize(upload.content.size())
            .setGeneration(++generations)
            .setChecksums(ObjectChecksums.newBuilder().setCrc32C(crc32c))
            .build();
    objects.put(key, new Stored(upload.done, upload.content));
  }
}
